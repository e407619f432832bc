import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS_PERMISSION, JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { API_ROUTES, type ApiRoute } from '../../libs/scheduled-jobs/src/http/api-routes.js';
import { membersOf } from '../../libs/scheduled-jobs/src/http/read-query.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';
import { openApi } from '../support/openapi.js';

const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const { version } = createRequire(import.meta.url)('../../libs/scheduled-jobs/package.json') as { version: string };

let database: TestDatabase;
let app: INestApplication;
beforeAll(async () => {
  database = await createDatabase();
  app = await createApp(jobsModule({ url: database.url, imports: [JobsHttpModule.forRoot({ access: 'host' })] }));
  await app.init();
});
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
const ask = ({ method, path }: ApiRoute, more = '') => {
  const url = `${root}${path.replaceAll(/:\w+/g, 'x')}${more}`;
  return method === 'GET' ? request(app.getHttpServer()).get(url) : request(app.getHttpServer()).post(url);
};

describe('the description of the API', () => {
  it('is the one that is checked in', async () => {
    await expect(`${JSON.stringify(openApi(version), null, 2)}\n`).toMatchFileSnapshot(DOCUMENT);
  });

  it('names every route that is mounted, and no other', () => {
    const mounted = handlers().filter((handler) => handler.path.startsWith(root) && !isOpenEnded(handler));
    const openEnds = API_ROUTES.filter(({ path }) => path.startsWith('/executions/')).map(nameOf);
    expect(mounted.map(({ method, path }) => `${method} ${path.slice(root.length)}`).toSorted()).toEqual(
      API_ROUTES.map(nameOf)
        .filter((name) => !openEnds.includes(name))
        .toSorted(),
    );
  });

  it.each(API_ROUTES)(
    'names a route that is there, and the very members that it takes: $method $path',
    async (route) => {
      const known = route.input === null ? [] : [...membersOf(route.input)];
      const { body } = await (route.method === 'GET' ? ask(route, '?zzzzzz=1') : ask(route).send({ zzzzzz: 1 }));
      const [problem = ''] = body.problems as readonly string[];
      expect(problem).toContain('"zzzzzz"');
      expect(problem).toContain(known.length === 0 ? 'takes no parameters' : `Known: ${known.join(', ')}`);
    },
  );
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

function nameOf({ method, path }: ApiRoute): string {
  return `${method} ${path}`;
}
