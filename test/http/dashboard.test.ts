import { VersioningType, type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JobsHttpModule, type JobsHttpOptions } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

let database: TestDatabase;
let app: INestApplication | undefined;
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => app?.close());
afterAll(() => database.drop());

interface Place {
  readonly prefix?: string;
  readonly http?: JobsHttpOptions;
}

async function start(adapter: 'express' | 'fastify', { prefix, http = { access: 'host' } }: Place = {}) {
  app = await createApp(jobsModule({ url: database.url, imports: [JobsHttpModule.forRoot(http)] }), adapter);
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '7' });
  await app.init();
  if (adapter === 'fastify') await app.getHttpAdapter().getInstance().ready();
  const server = app.getHttpServer() as Parameters<typeof request>[0];
  return (path: string) => request(server).get(path);
}

/** Where the page at an address says that it lives, and what it loads, as a browser resolves it. */
function addressesOf(page: string, at: string): { readonly mount: string; readonly assets: readonly string[] } {
  const [, base = ''] = /<base href="([^"]*)"/.exec(page) ?? [];
  const mount = new URL(base, `http://host${at}`);
  const assets = [...page.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(
    ([, path]) => new URL(path ?? '', mount),
  );
  return { mount: mount.pathname, assets: assets.map(({ pathname }) => pathname) };
}

describe.each(['express', 'fastify'] as const)('the dashboard on %s', (adapter) => {
  it.each([
    { prefix: undefined, path: undefined, mount: '/scheduled-jobs/' },
    { prefix: 'api', path: '/ops/jobs', mount: '/api/ops/jobs/' },
    { prefix: 'jobs', path: 'jobs', mount: '/jobs/jobs/' },
  ])('finds its assets and the API from every address below $mount', async ({ prefix, path, mount }) => {
    const http = { access: 'host' as const, ...(path === undefined ? {} : { path }) };
    const get = await start(adapter, { ...(prefix === undefined ? {} : { prefix }), http });
    const deep = ['executions', 'executions/', 'executions/report%3A2026%2F08?zone=utc', 'jobs/jobs/jobs', 'apis'];
    for (const address of [mount.slice(0, -1), mount, ...deep.map((below) => `${mount}${below}`)]) {
      const page = await get(address);
      expect(page.status, address).toBe(200);
      expect(page.type).toBe('text/html');
      const { mount: found, assets } = addressesOf(page.text, address);
      expect(found, address).toBe(mount);
      expect(assets.length).toBeGreaterThanOrEqual(3);
      for (const asset of assets) expect(asset).toMatch(new RegExp(`^${mount}assets/[\\w-]+\\.(js|css|svg)$`));
    }
    for (const asset of addressesOf((await get(mount)).text, mount).assets) {
      const response = await get(asset);
      expect(response.status, asset).toBe(200);
      expect(response.type).toMatch(/^(text\/javascript|text\/css|image\/svg\+xml)$/);
      expect(response.headers['cache-control']).toBe('private, max-age=31536000, immutable');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    }
    expect((await get(`${mount}api/executions`)).body).toMatchObject({ items: [], nextCursor: null });
    expect((await get(`${mount}api/nothing`)).body).toMatchObject({ code: 'JOBS_ROUTE_NOT_FOUND' });
  });

  it('forbids all code but its own files', async () => {
    const get = await start(adapter);
    const { headers, text } = await get('/scheduled-jobs/');
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/);
  });

  it('sends its scripts compressed to those who can read that, and no other files', async () => {
    const get = await start(adapter);
    const { assets } = addressesOf((await get('/scheduled-jobs/')).text, '/scheduled-jobs/');
    const script = assets.find((asset) => asset.endsWith('.js')) ?? '';
    const zipped = await get(script).set('Accept-Encoding', 'gzip');
    const plain = await get(script).set('Accept-Encoding', 'identity');
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.text).toBe(plain.text);
    for (const path of ['assets/index.js', 'assets/', 'assets/../package.json', 'assets/%2e%2e/%2e%2e/package.json']) {
      const { status, type, text } = await get(`/scheduled-jobs/${path}`);
      expect([`404 application/problem+json`, '200 text/html'], path).toContain(`${status} ${type}`);
      expect(text).not.toContain('"dependencies"');
    }
  });

  it('is as closed as the API without guards', async () => {
    const get = await start(adapter, { http: {} });
    for (const path of ['', '/', '/executions/1', '/assets/index.js']) {
      expect((await get(`/scheduled-jobs${path}`)).body, path).toMatchObject({ status: 403, code: 'JOBS_FORBIDDEN' });
    }
  });

  it('is not there when the application does not want it', async () => {
    const get = await start(adapter, { http: { access: 'host', dashboard: false } });
    expect((await get('/scheduled-jobs/')).status).toBe(404);
    expect((await get('/scheduled-jobs/api/executions')).status).toBe(200);
  });
});
