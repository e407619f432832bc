import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { JOBS_PERMISSION, JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { answerSchemas, type AnswerSchemas } from '../support/answer-schemas.js';
import { apiRoutes, type RouteUnderTest } from '../support/api-routes.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';
import { schemaMistakes } from '../support/json-schema.js';
import { openApi } from '../support/openapi.js';

const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const { version } = createRequire(import.meta.url)('../../libs/scheduled-jobs/package.json') as { version: string };

class Jobs {
  @BackgroundJob({ name: 'broken', queue: 'broken', retry: { maxAttempts: 1 }, runbook: 'https://example.org' })
  async broken(run: JobRun): Promise<void> {
    await run.step('look', () => ({ shelf: 7 }));
    run.log.warn('about to break');
    throw new RangeError('the shelf is empty');
  }

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC', startAt: new Date('2026-01-01T00:00:00Z') })
  daily(): void {}
}

let database: TestDatabase;
let app: INestApplication;
let schemas: AnswerSchemas;
beforeAll(async () => {
  schemas = answerSchemas();
  database = await createDatabase();
  const http = JobsHttpModule.forRoot({ access: 'host' });
  const jobs = { worker: { queues: ['broken'], pollInterval: '100ms' } } as const;
  app = await createApp(jobsModule({ url: database.url, providers: [Jobs], imports: [http], jobs }));
  await app.init();
}, 60_000);
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** Handlers as Nest has them, with what is said of each. */
function handlers() {
  const scanner = new MetadataScanner();
  return [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => {
      const prototype = (metatype as new () => object).prototype as Record<string, object>;
      return scanner.getAllMethodNames(prototype).map((method) => ({ metatype, handler: prototype[method] ?? {} }));
    })
    .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler))
    .map(({ metatype, handler }) => {
      const [base, below] = [
        Reflect.getMetadata(PATH_METADATA, metatype ?? {}),
        Reflect.getMetadata(PATH_METADATA, handler),
      ];
      return {
        path: `/${[base, below].flat().join('/')}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'),
        method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '',
        permission: Reflect.getMetadata(JOBS_PERMISSION, handler) as unknown,
      };
    });
}

const isOpenEnded = ({ path }: { readonly path: string }): boolean => path.includes('*');
const root = '/scheduled-jobs/api';
const ask = ({ method, path }: RouteUnderTest, more = '') => {
  const url = `${root}${path.replaceAll(/:\w+/g, 'x')}${more}`;
  return method === 'GET' ? request(app.getHttpServer()).get(url) : request(app.getHttpServer()).post(url);
};

describe('the description of the API', () => {
  it('is the one that is checked in', async () => {
    expect(Object.keys(schemas.answers).toSorted()).toEqual(apiRoutes.map(nameOf).toSorted());
    await expect(`${JSON.stringify(openApi(version, schemas), null, 2)}\n`).toMatchFileSnapshot(DOCUMENT);
  });

  it('names every route that is mounted, and no other', () => {
    const mounted = handlers().filter((handler) => handler.path.startsWith(root) && !isOpenEnded(handler));
    const openEnds = apiRoutes.filter(({ path }) => path.startsWith('/executions/')).map(nameOf);
    expect(mounted.map(({ method, path }) => `${method} ${path.slice(root.length)}`).toSorted()).toEqual(
      apiRoutes
        .map(nameOf)
        .filter((name) => !openEnds.includes(name))
        .toSorted(),
    );
  });

  it.each(apiRoutes)(
    'names a route that is there, and the very members that it takes: $method $path',
    async (route) => {
      const known = route.members;
      const { body } = await (route.method === 'GET' ? ask(route, '?zzzzzz=1') : ask(route).send({ zzzzzz: 1 }));
      const [problem = ''] = body.problems as readonly string[];
      expect(problem).toContain('"zzzzzz"');
      expect(problem).toContain(known.length === 0 ? 'takes no parameters' : `Known: ${known.join(', ')}`);
    },
  );
});

describe('answers', () => {
  const post = (path: string, body: object) => request(app.getHttpServer()).post(`${root}${path}`).send(body);

  it('are what the description says, each with its members and no others', async () => {
    const ended = nextEvent(app, 'execution.ended');
    app.get(Worker).start();
    await app.get(JobsClient).enqueue('broken', { to: 'ann' }, { key: 'k' });
    await ended;
    await post('/jobs/daily/pause', { reason: 'x' });
    await post('/jobs/daily/resume', { reason: 'x' });
    const range = { reason: 'x', from: '2026-02-01T00:00:00Z', to: '2026-02-03T00:00:00Z' };
    const acted = [
      ['POST /jobs/:job/trigger', await post('/jobs/daily/trigger', { reason: 'x', period: '2026-08-14' })],
      ['POST /jobs/:job/pause', await post('/jobs/daily/pause', { reason: 'x' })],
      ['POST /jobs/:job/backfill', await post('/jobs/daily/backfill', { ...range, dryRun: true })],
      ['POST /jobs/:job/backfill', await post('/jobs/daily/backfill', range)],
      ['POST /backfills/:id/cancel', await post('/backfills/1/cancel', { reason: 'x' })],
      ['POST /queues/:queue/pause', await post('/queues/broken/pause', { reason: 'x' })],
      ['POST /dead-letters/replay', await post('/dead-letters/replay', { job: 'broken', dryRun: true })],
      ['POST /dead-letters/acknowledge', await post('/dead-letters/acknowledge', { job: 'broken', dryRun: true })],
      ['POST /dead-letters/acknowledge', await post('/dead-letters/acknowledge', { job: 'broken', reason: 'x' })],
      ['POST /executions/:key/acknowledge', await post('/executions/broken:k/acknowledge', { reason: 'x' })],
      ['POST /executions/:key/retry', await post('/executions/broken:k/retry', { reason: 'x' })],
      ['POST /executions/:key/cancel', await post('/executions/broken:k/cancel', { reason: 'x' })],
      [
        'POST /dead-letters/replay',
        await post('/dead-letters/replay', { job: 'broken', states: ['canceled'], reason: 'x' }),
      ],
    ] as const;
    expect(schemaMistakes({ key: 7, more: 1 }, schemas.answers['GET /executions/:key'] ?? {}, schemas.named)).toEqual(
      expect.arrayContaining(['.key: is number, not string', '.more: is not described', '.state: is missing']),
    );
    for (const [name, { status, body }] of acted) expectDescribed(name, { status, body });
    for (const { path } of apiRoutes.filter(({ method, path: at }) => method === 'GET' && at !== '/events')) {
      const asked = path
        .replace(':key', 'broken:k')
        .replace(':id', '1')
        .replace(/:(job|name)/, 'daily');
      expectDescribed(`GET ${path}`, await request(app.getHttpServer()).get(`${root}${asked}`));
    }
  });

  function expectDescribed(name: string, { status, body }: { readonly status: number; readonly body: unknown }): void {
    expect(status, `${name} ${JSON.stringify(body)}`).toBe(200);
    expect(schemaMistakes(body, schemas.answers[name] ?? {}, schemas.named), name).toEqual([]);
  }
});

describe('every route', () => {
  it('says in its metadata what it is for: what reads, and what operates', () => {
    const own = handlers().filter(({ path }) => path.startsWith('/scheduled-jobs'));
    expect(own.length).toBeGreaterThan(25);
    for (const { path, method, permission } of own) {
      expect(permission, `${method} ${path}`).toBe(method === 'POST' ? 'operate' : 'read');
    }
  });
});

function nameOf({ method, path }: RouteUnderTest): string {
  return `${method} ${path}`;
}
