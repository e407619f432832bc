import {
  Inject,
  Injectable,
  Scope,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_GUARD, Reflector, REQUEST } from '@nestjs/core';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JobsHttpModule, JobsPermission, type JobsHttpOptions } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

/** Lets readers look and operators do everything. */
@Injectable()
class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const asked = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const { 'x-role': role, 'x-user': user } = asked.headers;
    asked.user = { id: null, email: user };
    const permission = this.reflector.get(JobsPermission, context.getHandler());
    return role === 'operator' || (role === 'reader' && permission === 'read');
  }
}

/** Made anew for each request, so that nobody can ask it beside one. */
@Injectable({ scope: Scope.REQUEST })
class RequestGuard implements CanActivate {
  constructor(@Inject(REQUEST) private readonly asked: { readonly method: string }) {}

  canActivate(): boolean {
    return this.asked.method === 'GET';
  }
}

const BY_METHOD: CanActivate = {
  canActivate: (context) => context.switchToHttp().getRequest<{ method: string }>().method === 'GET',
};

let database: TestDatabase;
let app: INestApplication | undefined;
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => app?.close());
afterAll(() => database.drop());

describe.each(['express', 'fastify'] as const)('the session on %s', (adapter) => {
  async function start(http: JobsHttpOptions, metadata: ModuleMetadata = {}, prefix = ''): Promise<void> {
    const imports = [JobsHttpModule.forRoot(http)];
    app = await createApp(jobsModule({ url: database.url, imports, providers: metadata.providers ?? [] }), adapter);
    app.setGlobalPrefix(prefix);
    await app.init();
    if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
  }
  const session = (role: string, path = '/scheduled-jobs') =>
    request(app?.getHttpServer()).get(`${path}/api/session`).set('x-role', role).set('x-user', 'ann@example.org');
  const act = (role: string) =>
    request(app?.getHttpServer())
      .post('/scheduled-jobs/api/executions/1/cancel')
      .set('x-role', role)
      .send({ reason: 'x' });

  it.each(['guards of the module', 'guards of the application'])('tells who asks and what %s allow', async (place) => {
    if (place === 'guards of the module') await start({ guards: [RoleGuard] });
    else await start({ access: 'host' }, { providers: [{ provide: APP_GUARD, useClass: RoleGuard }] });
    expect((await session('reader')).body).toEqual({
      actor: 'ann@example.org',
      permissions: ['read'],
      csrf: { header: 'x-jobs-request', value: '1' },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      path: '/scheduled-jobs',
    });
    expect((await session('operator')).body).toMatchObject({ permissions: ['read', 'operate'] });
    expect((await session('stranger')).body).toMatchObject({ status: 403 });
    expect((await act('reader')).body).toMatchObject({ status: 403, code: 'JOBS_FORBIDDEN' });
    expect((await act('operator')).body).toMatchObject({ status: 404, code: 'JOBS_EXECUTION_NOT_FOUND' });
  });

  it('believes guards that go by the method of a request', async () => {
    await start({ guards: [BY_METHOD] });
    expect((await session('')).body).toMatchObject({ permissions: ['read'] });
    expect((await act('')).status).toBe(403);
  });

  it('offers everything where a guard lives for a request only, which then decides', async () => {
    await start({ guards: [RequestGuard] });
    expect((await session('')).body).toMatchObject({ permissions: ['read', 'operate'] });
    expect((await act('')).status).toBe(403);
  });

  it('knows nobody where the application does not say who asks, and the path behind a prefix', async () => {
    await start({ access: 'host', path: 'ops/jobs' }, {}, 'v2');
    expect((await session('', '/v2/ops/jobs')).body).toMatchObject({
      actor: null,
      permissions: ['read', 'operate'],
      path: '/v2/ops/jobs',
    });
  });

  it('is found however a router lets its path be written, as are the executions', async () => {
    await start({ access: 'host' });
    const path = adapter === 'express' ? '/Scheduled-JOBS' : '/scheduled%2Djobs';
    expect((await session('', path)).body).toMatchObject({ path });
    const execution = await request(app?.getHttpServer()).get(`${path}/api/executions/1/`);
    expect(execution.body).toMatchObject({ code: 'JOBS_EXECUTION_NOT_FOUND' });
  });
});
