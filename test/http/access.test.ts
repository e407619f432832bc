import {
  ForbiddenException,
  Injectable,
  Module,
  UnauthorizedException,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, InvalidOptionsError, JobsClient, Worker } from 'nestjs-scheduled-jobs';
import { JobsHttpModule, type JobsHttpOptions } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

@Injectable()
class Tokens {
  readonly reader = 'let me read';
}

@Module({ providers: [Tokens], exports: [Tokens] })
class TokensModule {}

@Injectable()
class TokenGuard implements CanActivate {
  constructor(private readonly tokens: Tokens) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['authorization'] === undefined) throw new UnauthorizedException('Say who you are.');
    return headers['authorization'] === `Bearer ${this.tokens.reader}`;
  }
}

class Shelf {
  @BackgroundJob({ name: 'broken', retry: { maxAttempts: 1 } })
  broken(): void {
    throw new RangeError('the shelf is empty');
  }
}

const ROUTES = [
  '/executions',
  '/executions/1',
  '/executions/1/why',
  '/executions/1/timeline',
  '/schedules',
  '/schedules/x',
  '/nothing',
  '',
  '/overview',
  '/jobs',
  '/jobs/x',
  '/jobs/x/statistics',
  '/jobs/x/periods',
  '/periods',
  '/queues',
  '/instances',
  '/dead-letters',
  '/dead-letters/groups',
  '/audit',
  '/alerts',
  '/events',
];

let database: TestDatabase;
let app: INestApplication | undefined;
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => app?.close());
afterAll(() => database.drop());

async function start(http: JobsHttpOptions, adapter: 'express' | 'fastify' = 'express'): Promise<INestApplication> {
  app = await createApp(
    jobsModule({ url: database.url, providers: [Shelf], imports: [JobsHttpModule.forRoot(http)] }),
    adapter,
  );
  await app.init();
  if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
  return app;
}

describe.each(['express', 'fastify'] as const)('access to the REST API on %s', (adapter) => {
  it.each([{}, { guards: [] }])('is closed for every route unless it was opened: %o', async (options) => {
    const server = (await start(options, adapter)).getHttpServer();
    for (const route of ROUTES) {
      const response = await request(server).get(`/scheduled-jobs/api${route}`);
      expect(response.status, route).toBe(403);
      expect(response.type).toBe('application/problem+json');
      expect(response.body).toMatchObject({ code: 'JOBS_FORBIDDEN', detail: expect.stringContaining('`guards`') });
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  it('is decided by guards, whose dependencies come from the imports', async () => {
    const options = { guards: [TokenGuard], imports: [TokensModule] };
    const server = (await start(options, adapter)).getHttpServer();
    for (const route of ROUTES) {
      const anonymous = await request(server).get(`/scheduled-jobs/api${route}`);
      expect(anonymous.body).toMatchObject({ status: 401, code: 'JOBS_UNAUTHENTICATED', detail: 'Say who you are.' });
      const stranger = await request(server).get(`/scheduled-jobs/api${route}`).set('Authorization', 'Bearer guess');
      expect(stranger.body).toMatchObject({ status: 403, code: 'JOBS_FORBIDDEN' });
    }
    const reader = await request(server)
      .get('/scheduled-jobs/api/executions')
      .set('Authorization', 'Bearer let me read');
    expect(reader.status).toBe(200);
  });

  it('needs every guard to agree, instances included', async () => {
    const yes: CanActivate = { canActivate: () => true };
    const no: CanActivate = {
      canActivate: () => {
        throw new ForbiddenException('Not on Sundays.');
      },
    };
    const server = (await start({ guards: [yes, no] }, adapter)).getHttpServer();
    const response = await request(server).get('/scheduled-jobs/api/executions');
    expect(response.body).toMatchObject({ status: 403, detail: 'Not on Sundays.' });
  });

  it('moves with the path and the global prefix', async () => {
    app = await createApp(
      jobsModule({
        url: database.url,
        imports: [JobsHttpModule.forRoot({ access: 'host', path: '/ops/jobs/' })],
      }),
      adapter,
    );
    app.setGlobalPrefix('v2');
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
    const get = (path: string) => request(app?.getHttpServer()).get(path);
    expect((await get('/v2/ops/jobs/api/executions')).status).toBe(200);
    expect((await get('/v2/ops/jobs/api/executions/1')).body).toMatchObject({ code: 'JOBS_EXECUTION_NOT_FOUND' });
    expect((await get('/ops/jobs/api/executions')).body).not.toHaveProperty('code');
  });

  it('shows stacks only where the application says so', async () => {
    const running = await start({ access: 'host', showStacks: true }, adapter);
    const ended = nextEvent(running, 'execution.ended');
    running.get(Worker).start();
    const { execution } = await running.get(JobsClient).enqueue('broken');
    await ended;
    const path = `/scheduled-jobs/api/executions/${execution?.executionId}`;
    const detail = await request(running.getHttpServer()).get(path);
    expect(detail.body.error.stack).toContain('RangeError: the shelf is empty');
    const attempts = await request(running.getHttpServer()).get(`${path}/attempts`);
    expect(attempts.body.items[0].error.stack).toContain('RangeError: the shelf is empty');
  });
});

describe('JobsHttpModule.forRoot', () => {
  it.each([
    [{ access: 'host', guards: [TokenGuard] }, 'access cannot be combined with "guards"'],
    [{ access: 'everybody' }, 'access must be one of "host", got "everybody"'],
    [{ guards: TokenGuard }, 'guards must be a list'],
    [{ guards: [() => true] }, 'guards must list guards'],
    [{ guard: [TokenGuard] }, 'guard is not an option. Did you mean "guards"?'],
    [{ path: '../etc' }, 'path must be a path of letters'],
    [{ path: '' }, 'path must be a path of letters'],
    [{ path: ':name' }, 'path must be a path of letters'],
    [{ showStacks: 'yes' }, 'showStacks must be true or false'],
    [{ dashboard: 'yes' }, 'dashboard must be true or false'],
  ])('refuses %o', (options, problem) => {
    expect(() => JobsHttpModule.forRoot(options as never)).toThrow(problem);
  });

  it('reports all mistakes at once', () => {
    expect(() => JobsHttpModule.forRoot({ path: '', access: 'x', showStacks: 1 } as never)).toThrow(
      /path must.*\n.*access must|access must[^]*path must/,
    );
  });
});

describe('JobsHttpModule', () => {
  const problemsOf = async (imports: DynamicModule['imports']): Promise<readonly string[]> => {
    const error: unknown = await createApp({ module: class Root {}, imports: imports ?? [] }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InvalidOptionsError);
    return (error as InvalidOptionsError).problems;
  };

  it('is refused as a bare class, and without the ledger', async () => {
    expect(await problemsOf([JobsHttpModule])).toEqual([
      expect.stringContaining('Use JobsHttpModule.forRoot()'),
      expect.stringContaining('Import ScheduledJobsModule.forRoot() as well'),
    ]);
    expect(await problemsOf([JobsHttpModule.forRoot({ access: 'host' })])).toEqual([
      expect.stringContaining('Import ScheduledJobsModule.forRoot() as well'),
    ]);
  });
});
