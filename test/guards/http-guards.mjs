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
  {
    promise: 'no window over HTTP ends behind the year 9999',
    file: 'http/requests/query-rules.ts',
    line: ' && instant.getUTCFullYear() <= YEARS.last',
    test: 'test/http/fuzz-api.test.ts',
    name: 'no window of',
  },
  {
    promise: 'a day that there is not is no instant',
    file: 'core/instant-text.ts',
    line: 'Number(day) <= lastOfMonth ? instant : null',
    instead: 'instant',
    test: 'libs/scheduled-jobs/src/core/instant-text.test.ts',
    name: 'for no instant, whatever JavaScript makes of it',
  },
  {
    promise: 'a cursor that somebody made is refused: steps',
    file: 'postgres/ledger/ledger-reader.ts',
    line: 'isInstantText(at) && ',
    test: 'test/postgres/execution-detail.test.ts',
    name: 'refuses limits out of range and cursors of other lists',
  },
  {
    promise: 'a cursor that somebody made is refused: executions of a job',
    file: 'postgres/ledger/execution-query.ts',
    line: 'isInstantText(scheduledFor) ? { id, scheduledFor } : undefined',
    instead: '{ id, scheduledFor }',
    test: 'libs/scheduled-jobs/src/postgres/ledger/execution-query.test.ts',
    name: 'refuses positions that no page gives',
  },
  {
    promise: 'a cursor that somebody made is refused: the year that the database does not have',
    file: 'postgres/ledger/cursor.ts',
    line: "!text.startsWith('0000') && ",
    test: 'libs/scheduled-jobs/src/http/requests/window-cursor.test.ts',
    name: 'refuses a cursor that somebody made',
  },
  {
    promise: 'a page of long errors, logs or results ends early',
    file: 'postgres/ledger/bounded-page.ts',
    line: '    if (items.length > 0 && length > MAX_PAGE) break;\n',
    test: 'libs/scheduled-jobs/src/postgres/ledger/bounded-page.test.ts',
    name: 'ends early where it would become longer than a megabyte',
  },
  {
    promise: 'a window that ends before it begins is refused',
    file: 'postgres/ledger/query-checks.ts',
    line: '  if (start instanceof Date && end instanceof Date && start >= end) problems.push(`${from} must be before ${to}.`);\n',
    test: 'libs/scheduled-jobs/src/postgres/ledger/execution-query.test.ts',
    name: 'and says which part',
  },
  {
    promise: 'a reason says something',
    file: 'nest/client/operator-options.ts',
    line: ' && VISIBLE.test(reason)',
    test: 'libs/scheduled-jobs/src/nest/client/operator-options.test.ts',
    name: 'refuses a reason that says nothing',
  },
  {
    promise: 'two actors that begin alike stay two',
    file: 'http/security/actor-of.ts',
    line: 'actor.slice(0, MAX_LENGTH - digest.length - 1)}…${digest}',
    instead: 'actor.slice(0, MAX_LENGTH)}',
    test: 'libs/scheduled-jobs/src/http/security/actor-of.test.ts',
    name: 'tells two apart whose long names begin alike',
  },
];
