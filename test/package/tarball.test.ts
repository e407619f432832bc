import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const library = join(root, 'libs/scheduled-jobs');
const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Manifest;

/** What a file of the user prints, in a plain Node without flags of the test runner. */
const PROGRAM = `
import { InvalidOptionsError, ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { JobsObservabilityModule } from 'nestjs-scheduled-jobs/observability';
const errorOf = (action) => { try { action(); } catch (error) { return error; } };
const codeOf = (name) => import(name).then(() => 'found', ({ code }) => code);
console.log(JSON.stringify({
  module: ScheduledJobsModule.forRoot().global,
  observed: JobsObservabilityModule.forRoot({ metrics: true, tracing: true }).global,
  optional: await codeOf('prom-client'),
  isOneCopy: errorOf(() => JobsHttpModule.forRoot({ path: '?' })) instanceof InvalidOptionsError,
  inner: await codeOf('nestjs-scheduled-jobs/dist/core/errors.js'),
}));`;

let folder: string;
let files: readonly string[];

/** Builds and packs the package away from the tree, which other tests use at the same time. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scheduled-jobs-package-test-'));
  const source = join(folder, 'source');
  const dist = join(source, 'dist');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const outputs = ['--outDir', dist, '--tsBuildInfoFile', join(dist, '.tsbuildinfo')];
  const outDir = join(dist, 'dashboard');
  const vite = ['build', '--config', 'libs/dashboard/vite.config.ts', '--logLevel', 'error', '--outDir', outDir];
  await Promise.all([
    execute(process.execPath, [compiler, '-p', library, ...outputs]),
    execute(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...vite], { cwd: root }),
  ]);
  for (const file of ['package.json', 'AGENTS.md', 'README.md', 'LICENSE'])
    copyFileSync(join(library, file), join(source, file));
  cpSync(join(library, 'bin'), join(source, 'bin'), { recursive: true });
  const options = ['--ignore-scripts', '--pack-destination', folder, '--cache', join(folder, 'cache')];
  execFileSync('npm', ['pack', ...options], { cwd: source, stdio: 'pipe', shell: process.platform === 'win32' });

  const installed = join(folder, 'node_modules/nestjs-scheduled-jobs');
  mkdirSync(installed, { recursive: true });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? 'none';
  execFileSync('tar', ['-xzf', tarball, '-C', 'node_modules/nestjs-scheduled-jobs', '--strip-components=1'], {
    cwd: folder,
  });
  files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll('\\', '/'),
    );
  // Nothing but the declared peers can be found from here, and of these none that is optional.
  for (const name of Object.keys(manifest.peerDependencies)) {
    if (manifest.peerDependenciesMeta[name]?.optional === true) continue;
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the published package', () => {
  it('holds the build, the program, the manifest, README, AGENTS and LICENSE, and nothing else', () => {
    expect(files.filter((file) => !file.startsWith('dist/')).toSorted()).toEqual([
      'AGENTS.md',
      'LICENSE',
      'README.md',
      'bin/nestjs-scheduled-jobs.mjs',
      'package.json',
    ]);
    const page = /^dist\/dashboard\//;
    const built = files.filter((file) => file.startsWith('dist/') && !page.test(file));
    expect(built.filter((file) => !/^dist\/(?:[\w.-]+\/)*[\w.-]+\.(?:js|d\.ts)(?:\.map)?$/.test(file))).toEqual([]);
    expect(
      files
        .filter((file) => page.test(file))
        .map((file) => file.replace(/-[\w-]{8}\./, '.'))
        .toSorted(),
    ).toEqual([
      'dist/dashboard/assets/icon.svg',
      'dist/dashboard/assets/index.css',
      'dist/dashboard/assets/index.js',
      'dist/dashboard/assets/plot.css',
      'dist/dashboard/assets/plot.js',
      'dist/dashboard/index.html',
      'dist/dashboard/licenses.md',
    ]);
    const notices = readFileSync(join(folder, 'node_modules/nestjs-scheduled-jobs/dist/dashboard/licenses.md'), 'utf8');
    for (const name of ['preact', '@preact/signals', 'uplot']) expect(notices).toContain(name);
    expect(files.filter((file) => /\.test\.|\.tsbuildinfo$/.test(file))).toEqual([]);
  });

  it('has a file for each export and its types', () => {
    for (const target of Object.values(manifest.exports)) {
      const paths = typeof target === 'string' ? [target] : [target.types, target.default];
      for (const path of paths) expect(files).toContain(path.slice('./'.length));
    }
  });

  it('has the program of the keeper thread where it is looked for', () => {
    expect(files).toContain('dist/postgres/lease-thread/main.js');
    expect(files).toContain('dist/postgres/lease-thread/keeper-thread.js');
  });

  it('is imported by plain Node with its peers alone, with one copy of each class, and keeps its inside to itself', () => {
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(JSON.parse(printed)).toEqual({
      module: true,
      observed: true,
      optional: 'ERR_MODULE_NOT_FOUND',
      isOneCopy: true,
      inner: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
    });
  });

  it('has a program, which npm makes executable when it is installed, and links in a clone before anything is built', () => {
    expect(Object.keys(manifest.bin)).toEqual(['nestjs-scheduled-jobs']);
    for (const path of Object.values(manifest.bin)) {
      expect(path).not.toMatch(/^dist\//);
      const program = join(folder, 'node_modules/nestjs-scheduled-jobs', path);
      expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
      const printed = execFileSync(process.execPath, [program, '--version'], { cwd: folder, encoding: 'utf8' });
      expect(printed).toBe(`${manifest.version}\n`);
    }
  });

  it('is built anew before it is packed, so that no file of a former build is in it', () => {
    expect(manifest.scripts['prepack']).toBe('node ../../scripts/build.mjs --clean');
  });

  it('has the licence of the repository', () => {
    expect(readFileSync(join(library, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });
});
