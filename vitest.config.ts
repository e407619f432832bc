import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const SECOND = 1_000;
const LIBRARY = fileURLToPath(new URL('./libs/scheduled-jobs/src', import.meta.url));
const SAMPLES = fileURLToPath(new URL('./libs/sample-jobs/src', import.meta.url));
const POSTGRES_18 = 'test/support/postgres.setup.ts';
const POSTGRES_15 = 'test/support/postgres-15.setup.ts';

type ProjectOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (name: string, options: ProjectOptions): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...options },
});

const patient = { testTimeout: 60 * SECOND, hookTimeout: 60 * SECOND } as const;
/** For tests that use fixed ports or all of the machine: one file after the other, when all others are done. */
const oneByOne = { fileParallelism: false, ...patient } as const;

export default defineConfig({
  // as in tsconfig.base.json: unit tests lie beside the sources, but outside of the project that builds the package
  oxc: {
    decorator: { legacy: true, emitDecoratorMetadata: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  resolve: {
    // inside Vitest the published names lead to the sources, as relative imports do: one copy of each class
    alias: [
      { find: /^nestjs-scheduled-jobs$/, replacement: `${LIBRARY}/index.ts` },
      { find: /^nestjs-scheduled-jobs\/(http|observability|testing)$/, replacement: `${LIBRARY}/$1/index.ts` },
      { find: /^sample-jobs$/, replacement: `${SAMPLES}/index.ts` },
    ],
  },
  test: {
    environment: 'node',
    setupFiles: ['reflect-metadata'],
    maxWorkers: '100%',
    testTimeout: 15 * SECOND,
    hookTimeout: 30 * SECOND,
    // a second, as it is by default, can pass on a busy machine before anything has happened
    expect: { poll: { timeout: 10 * SECOND } },
    projects: [
      // They share nothing but modules, so one process may run them all: that takes half the time.
      project('unit', {
        include: ['libs/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/ops/**/*.test.ts'],
        isolate: false,
      }),
      project('calendar', { include: ['test/calendar/**/*.test.ts'] }),
      project('postgres', { include: ['test/{postgres,schema}/**/*.test.ts'], globalSetup: [POSTGRES_18], ...patient }),
      project('nest', {
        include: ['test/{nest,http,observability}/**/*.test.ts'],
        globalSetup: [POSTGRES_18],
        ...patient,
      }),
      project('engine', { include: ['test/engine/**/*.test.ts'], globalSetup: [POSTGRES_18], ...patient }),
      project('concurrency', { include: ['test/concurrency/**/*.test.ts'], globalSetup: [POSTGRES_18], ...patient }),
      project('journey', {
        include: ['test/journey/**/*.test.ts'],
        globalSetup: [POSTGRES_18, POSTGRES_15],
        ...oneByOne,
      }),
      project('fault', { include: ['test/fault/**/*.test.ts'], globalSetup: [POSTGRES_18], ...patient }),
      project('process', { include: ['test/process/**/*.test.ts'], globalSetup: [POSTGRES_18], ...oneByOne }),
      project('browser', { include: ['test/browser/**/*.test.ts'], globalSetup: [POSTGRES_18], ...oneByOne }),
      ...(process.env['PICTURES'] === undefined
        ? []
        : [project('pictures', { include: ['test/pictures/**/*.test.ts'], globalSetup: [POSTGRES_18], ...oneByOne })]),
      project('package', { include: ['test/package/**/*.test.ts'], ...oneByOne, testTimeout: 120 * SECOND }),
    ],
  },
});
