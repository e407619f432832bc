// The layers of the library and who may use what. Runs after the build: published names lead to the declarations in dist.
const LIBRARY = '^libs/scheduled-jobs/src/';
const TESTS = '\\.test\\.ts$';
/** All but the tests of inner layers, which may reach inside. */
const USERS =
  '^(?:apps|libs/(?:sample-jobs|dashboard)|scripts|test/(?:nest|http|observability|journey|browser|process|package))/';

/** A layer may use itself, what `may` names, and nothing else of the library; tests beside the sources are free. */
const layer = (name, ...may) => ({
  name: `${name}-uses-only-${may.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `${LIBRARY}${name}/`, pathNot: TESTS },
  to: { path: LIBRARY, pathNot: `${LIBRARY}(?:${[name, ...may].join('|')})/` },
});

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-circular', {}, { circular: true }),
    // the comparisons have packages of their own, which only a benchmark installs
    forbid('not-resolvable', { pathNot: '^bench/comparisons/' }, { couldNotResolve: true }),

    layer('core'),
    layer('postgres', 'core'),
    layer('engine', 'core'),
    layer('nest', 'core', 'postgres', 'engine'),
    layer('http', 'core', 'postgres', 'engine', 'nest'),
    layer('observability', 'core', 'postgres', 'engine', 'nest'),
    layer('testing', 'core', 'postgres', 'engine', 'nest'),
    layer('cli', 'core', 'postgres', 'engine', 'nest'),

    forbid('core-is-pure', { path: `${LIBRARY}core/`, pathNot: TESTS }, { pathNot: LIBRARY }),
    forbid(
      'engine-uses-no-packages',
      { path: `${LIBRARY}engine/`, pathNot: TESTS },
      { pathNot: LIBRARY, dependencyTypesNot: ['core'] },
    ),
    forbid(
      'only-postgres-runs-pg-and-typeorm',
      { path: LIBRARY, pathNot: [`${LIBRARY}postgres/`, TESTS] },
      { path: 'node_modules/(?:pg|typeorm)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'optional-peers-only-in-their-entry',
      { path: LIBRARY, pathNot: [`${LIBRARY}(?:http|observability)/`, TESTS] },
      { path: 'node_modules/(?:@nestjs/swagger|prom-client|@opentelemetry)/' },
    ),
    forbid(
      'library-declares-its-packages',
      { path: LIBRARY, pathNot: TESTS },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['npm-peer'] },
    ),
    forbid(
      'nothing-inside-imports-an-index',
      { path: LIBRARY },
      { path: [`${LIBRARY}index\\.ts$`, `${LIBRARY}.+/index\\.ts$`] },
    ),
    forbid(
      'library-does-not-know-its-users',
      { path: '^libs/scheduled-jobs/' },
      { path: '^(?:apps|libs/sample-jobs|libs/dashboard)/' },
    ),
    forbid(
      'only-the-proof-asks-other-calendars',
      { pathNot: '^(?:test/calendar/|node_modules/)' },
      { path: 'node_modules/(?:cron|cron-parser|croner)/' },
    ),
    forbid('nobody-imports-a-test', {}, { path: TESTS }),

    forbid(
      'dashboard-knows-only-types-of-the-library',
      { path: '^libs/dashboard/src/', pathNot: TESTS },
      {
        path: '^(?:apps|libs/(?:scheduled-jobs|sample-jobs)|scripts|test|node_modules/(?!preact/|@preact/|uplot/))',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid('users-take-the-published-name', { path: USERS }, { path: LIBRARY }),
    forbid(
      'users-take-public-entries',
      { path: USERS },
      { path: '^libs/scheduled-jobs/dist/(?!(?:(?:http|observability|testing)/)?index\\.d\\.ts$)' },
    ),
    forbid('scripts-know-no-apps-and-tests', { path: '^scripts/' }, { path: '^(?:apps|test)/' }),
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'dist'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
