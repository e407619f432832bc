// What people see of the ledger: counts of executions, holes that are holes, and pages that cost little and miss nothing.

const STATISTICS = 'test/postgres/statistics.test.ts';
const SEARCH = 'test/postgres/search.test.ts';
const EVENTS = 'test/http/events-api.test.ts';

/** @type {readonly import('./guards.mjs').Guard[]} */
export const BROWSE_GUARDS = [
  {
    promise: 'statistics count executions by what became of them',
    file: 'postgres/statements/job-statistics.sql.ts',
    line: 'sum(greatest(attempts - 1, 0))',
    instead: 'sum(attempts)',
    test: STATISTICS,
    name: 'count executions by what became of them, and attempts apart',
  },
  {
    promise: 'statistics look at a bounded number of executions',
    file: 'postgres/statements/job-statistics.sql.ts',
    line: '    limit $4::int\n',
    test: STATISTICS,
    name: 'look at the newest 20,000 executions only, and say so',
  },
  {
    promise: 'a hole in the periods is shown',
    file: 'core/browse/period-cells.ts',
    line: "  if (at <= cursorAt) return { state: 'missing', reason: null };\n",
    test: 'test/postgres/periods.test.ts',
    name: 'are all there: executed, pruned, missing, overdue and to come',
  },
  {
    promise: 'what was left out is no hole',
    file: 'core/browse/period-cells.ts',
    line: "  if (range !== undefined) return { state: 'skipped-range', reason: range.reason };\n",
    test: 'test/postgres/periods.test.ts',
    name: 'tell why a stretch was left out, and that it stands still',
  },
  {
    promise: 'a search walks over a bounded number of executions',
    file: 'postgres/statements/search-executions.sql.ts',
    line: '\n  limit $16::int',
    test: SEARCH,
    name: 'walks over a bounded number of executions a page, and finds everything by and by',
  },
  {
    promise: 'open executions are shown once beside ended ones',
    file: 'postgres/ledger/execution-list.ts',
    line: 'completeTo === null ? rows : rows.filter(({ id }) => BigInt(id) >= BigInt(completeTo))',
    instead: 'rows',
    test: SEARCH,
    name: 'shows open executions only down to where ended ones are known',
  },
  {
    promise: 'streams are bounded',
    file: 'http/events/change-feed.ts',
    line: '    if (this.readers.size >= MAX_READERS) throw new TooManyStreamsException();\n',
    test: EVENTS,
    name: 'takes no parameters, and no more readers than it can serve',
  },
  {
    promise: 'streams end with the application',
    file: 'http/events/change-feed.ts',
    line: '    for (const reader of this.readers.keys()) reader.complete();\n',
    test: 'libs/scheduled-jobs/src/http/events/change-feed.test.ts',
    name: 'ends with the application at once',
  },
  {
    promise: 'no reader of a stream holds up the close',
    file: 'http/events/change-feed.ts',
    line: '    setTimeout(() => sockets.forEach(cutWhenStuck), LEAVE_WITHIN_MS).unref();\n',
    test: EVENTS,
    name: 'ends with the application, also for a reader that reads nothing',
  },
  {
    promise: 'guards of a stream are asked anew',
    file: 'http/events/change-feed.ts',
    line: 'setTimeout(() => reader.complete(), OPEN_FOR_MS).unref()',
    instead: 'undefined',
    test: 'libs/scheduled-jobs/src/http/events/change-feed.test.ts',
    name: 'ends each stream after ten minutes, so that guards are asked anew',
  },
  {
    promise: 'one look serves all readers of a stream',
    file: 'http/events/change-feed.ts',
    line: '    if (watch !== this.watch) return;\n',
    test: 'libs/scheduled-jobs/src/http/events/change-feed.test.ts',
    name: 'looks no more often when readers come and go while it looks',
  },
  {
    promise: 'who has a detail already gets 304',
    file: 'http/answers/entity-tag.interceptor.ts',
    line: "        if (isAmong(tag, headers['if-none-match'])) throw new NotModifiedException();\n",
    test: 'test/http/reads-api.test.ts',
    name: 'answers 304 to who has the answer of',
  },
  {
    promise: 'statistics have no negative times',
    file: 'postgres/statements/job-statistics.sql.ts',
    line: ' when ${end} < ${start} then 0',
    test: STATISTICS,
    name: 'have no negative times',
  },
  {
    promise: 'invented queues hide none that are used',
    file: 'postgres/statements/find-queues.sql.ts',
    line: 'n.name <> all ($1::text[]) and q.name is null and held.running = 0, ',
    test: 'test/postgres/queue-limits.test.ts',
    name: 'however many others somebody has invented',
  },
  {
    promise: 'a stage shows no secret',
    file: 'engine/job-run-context.ts',
    line: 'redactText(stage.slice(0, MAX_STAGE_READ))',
    instead: 'stage',
    test: 'test/engine/run-context.test.ts',
    name: 'shows stage and percent while it runs, without secrets',
  },
];
