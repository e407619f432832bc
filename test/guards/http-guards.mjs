// What readers of the ledger rely on over HTTP.

/** @type {readonly import('./guards.mjs').Guard[]} */
export const HTTP_GUARDS = [
  {
    promise: 'the dashboard lives behind any path, prefix and proxy',
    file: 'http/dashboard/page-base.ts',
    line: "'../'.repeat(below.length - 1) || './'",
    instead: "'./'",
    test: 'libs/scheduled-jobs/src/http/dashboard/page-base.test.ts',
    name: 'leads from',
  },
];
