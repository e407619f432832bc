import { Injectable, type CanActivate, type ExecutionContext, type INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JobsHttpModule, JobsPermission, type JobsHttpOptions } from 'nestjs-scheduled-jobs/http';
import { apiRoutes, type RouteUnderTest } from '../support/api-routes.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

@Injectable()
class ReadersGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    return this.reflector.get(JobsPermission, context.getHandler()) === 'read';
  }
}

/** The page, what belongs to it, and what is not there at all. */
const PAGES = ['', '/', '/jobs/daily', '/index.html', '/assets/index.js', '/../package.json', '/api', '/api/nothing'];

/** Ways to write the path of something, which a router, a proxy and a guard may read differently. */
const TRICKS = [
  '/scheduled-jobs//api/session',
  '//scheduled-jobs/api/session',
  '/scheduled-jobs/api/session/',
  '/SCHEDULED-JOBS/API/SESSION',
  '/scheduled-jobs/%61pi/session',
  '/scheduled-jobs/api/%73ession',
  '/scheduled-jobs/api/x/%2e%2e/session',
  '/scheduled-jobs/api/x/..%2fsession',
  '/scheduled-jobs/api;x/session',
  '/scheduled-jobs/api/session;x',
  '/scheduled-jobs/api/session%00',
  '/scheduled-jobs/assets/..%2findex.html',
  '/scheduled-jobs/%',
];

let database: TestDatabase;
let app: INestApplication;
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => app.close());
afterAll(() => database.drop());

describe.each(['express', 'fastify'] as const)('on %s', (adapter) => {
  async function start(options: JobsHttpOptions): Promise<void> {
    app = await createApp(jobsModule({ url: database.url, imports: [JobsHttpModule.forRoot(options)] }), adapter);
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
  }
  const get = (path: string) => request(app.getHttpServer()).get(`/scheduled-jobs${path}`);
  const ask = ({ method, path }: RouteUnderTest) => {
    // A stream would not end: a parameter that there is not ends it.
    const url = `/api${path.replaceAll(/:\w+/g, 'x')}`;
    if (method === 'GET') return get(`${url}?none=1`);
    return request(app.getHttpServer()).post(`/scheduled-jobs${url}`).send({ reason: 'x' });
  };

  it('nothing is open that was not opened: no route, page, asset, stream or action', async () => {
    await start({});
    for (const path of PAGES) {
      const { status, body } = await get(path);
      expect(status, path).toBe(403);
      expect(body, path).toMatchObject({ code: 'JOBS_FORBIDDEN', detail: expect.stringContaining('`guards`') });
    }
    for (const route of apiRoutes) {
      expect((await ask(route)).body, route.path).toMatchObject({ status: 403, code: 'JOBS_FORBIDDEN' });
    }
  });

  it('nothing is open to other methods, or to other ways to write a path', async () => {
    await start({});
    for (const method of ['head', 'options', 'put', 'patch', 'delete'] as const) {
      const answer = await request(app.getHttpServer())[method]('/scheduled-jobs/api/overview');
      expect([method, answer.status]).toEqual([method, 403]);
    }
    for (const path of TRICKS) {
      const { status, text } = await request(app.getHttpServer()).get(path).set('x-http-method-override', 'HEAD');
      expect([400, 403, 404], path).toContain(status);
      expect(text, path).not.toMatch(/permissions|instances|<html/);
    }
  });

  it('a guard that lets readers in lets nobody act', async () => {
    await start({ guards: [ReadersGuard] });
    for (const route of apiRoutes) {
      const { status, body } = await ask(route);
      expect([route.path, status === 403]).toEqual([route.path, route.method === 'POST']);
      expect(body.code === 'JOBS_FORBIDDEN', route.path).toBe(route.method === 'POST');
    }
  });

  it('nothing can be deleted', async () => {
    await start({ access: 'host' });
    for (const { path } of apiRoutes) {
      const { body } = await request(app.getHttpServer()).delete(`/scheduled-jobs/api${path.replaceAll(/:\w+/g, 'x')}`);
      expect(body, path).toMatchObject({ status: 404, code: 'JOBS_ROUTE_NOT_FOUND' });
    }
  });
});
