// What people rely on in the dashboard. Tests in a browser see the page as it is built without the line.

const EXECUTIONS = 'test/browser/executions.test.ts';
const OPERATIONS = 'test/browser/operations.test.ts';

/** @type {readonly import('./guards.mjs').Guard[]} */
export const DASHBOARD_GUARDS = [
  {
    promise: 'no address of the ledger becomes code in the dashboard',
    isPage: true,
    file: 'ui/runbook.tsx',
    line: '{isWebAddress(text) ? (',
    instead: '{text !== null ? (',
    test: EXECUTIONS,
    name: 'shows everything that the ledger holds as text',
  },
  {
    promise: 'a dashboard that nobody sees asks nothing',
    isPage: true,
    file: 'api/resource.ts',
    line: '      else this.rest();\n',
    test: EXECUTIONS,
    name: 'asks nothing while nobody sees it',
  },
  {
    promise: 'an answer that nobody wants any more does not replace the one that is wanted',
    isPage: true,
    file: 'api/resource.ts',
    line: '    this.asking?.abort();\n',
    test: EXECUTIONS,
    name: 'gives up what is asked for when something else is wanted',
  },
  {
    promise: 'old figures do not pass for the present',
    isPage: true,
    file: 'api/resource.ts',
    line: '      noteProblem(error);\n',
    test: EXECUTIONS,
    name: 'says once that nothing can be read',
  },
  {
    promise: 'buttons are there for those who may press them',
    isPage: true,
    file: 'api/session.ts',
    line: "session.value?.permissions.includes('operate') ?? false",
    instead: 'session.value !== undefined',
    test: EXECUTIONS,
    name: 'shows no button to those who may not press it',
  },
  {
    promise: 'every time names its zone',
    isPage: true,
    file: 'time/instant.tsx',
    line: ' <span class="zone">{offset}</span>',
    test: EXECUTIONS,
    name: 'names the zone of every time',
  },
  {
    promise: 'a secret that was redacted does not become a payload',
    isPage: true,
    file: 'screens/execution/retry-dialog.tsx',
    line: 'if (text.includes(REDACTED)) {',
    instead: "if (text.includes('\\u0000')) {",
    test: EXECUTIONS,
    name: 'takes no redacted secret for the payload of a retry',
  },
  {
    promise: 'a missing period shows as a hole',
    isPage: true,
    file: 'screens/periods/cell.tsx',
    line: 'class: `cell is-${cell.state}`',
    instead: "class: 'cell'",
    test: OPERATIONS,
    name: 'shows every period of a schedule',
  },
  {
    promise: 'a rate hides no failure',
    isPage: true,
    file: 'screens/job/figure-text.ts',
    line: "  if (rounded === 100 && rate < 1) return '> 99.9 %';\n",
    test: 'libs/dashboard/src/screens/job/figure-text.test.ts',
    name: 'rounds rates without hiding what failed',
  },
  {
    promise: 'no outcome is lost between the bars of a chart',
    isPage: true,
    file: 'screens/job/outcome-data.ts',
    line: 'bar.reduce((sum, bucket) => sum + count(bucket), 0)',
    instead: 'bar.slice(0, 1).reduce((sum, bucket) => sum + count(bucket), 0)',
    test: 'libs/dashboard/src/screens/job/outcome-data.test.ts',
    name: 'puts neighbours together where there would be too many bars, and loses none',
  },
];
