// Each promise of docs/guarantees.md that one line keeps: the line, and the test that must go red without it.
import { ACTION_GUARDS } from './action-guards.mjs';
import { ALERT_GUARDS } from './alert-guards.mjs';
import { BROWSE_GUARDS } from './browse-guards.mjs';
import { COMMAND_GUARDS } from './command-guards.mjs';
import { DASHBOARD_GUARDS } from './dashboard-guards.mjs';
import { HTTP_GUARDS } from './http-guards.mjs';
import { OBSERVABILITY_GUARDS } from './observability-guards.mjs';
import { OVERLAP_GUARDS } from './overlap-guards.mjs';
import { QUEUE_GUARDS } from './queue-guards.mjs';
import { OPERATION_GUARDS } from './operation-guards.mjs';
import { RETRY_GUARDS } from './retry-guards.mjs';
import { STEP_GUARDS } from './step-guards.mjs';
import { LEASE_GUARDS } from './lease-guards.mjs';
import { TIME_GUARDS } from './time-guards.mjs';

/**
 * @typedef {object} Guard
 * @property {string} promise
 * @property {string} file below libs/scheduled-jobs/src, or below libs/dashboard/src where `isPage`
 * @property {boolean} [isPage] it is of the dashboard's page
 * @property {string} line a text that stands in the file once, or as often as `everywhere` allows
 * @property {string} [instead] what stands there afterwards; default nothing
 * @property {boolean} [everywhere] the line stands in several places, and all go
 * @property {string} test the test file
 * @property {string} name the name of the test, or how it begins
 */

/**
 * The file of a guard, below the root.
 * @param {Guard} guard
 */
export const pathOf = ({ file, isPage = false }) => `libs/${isPage ? 'dashboard' : 'scheduled-jobs'}/src/${file}`;

/** @type {readonly Guard[]} */
export const GUARDS = [
  {
    promise: 'I1 a key once used is never used again',
    file: 'postgres/statements/won-keys.ts',
    line: 'where key is null or id in (select execution_id from won)',
    test: 'test/postgres/insert-executions.test.ts',
    name: 'never creates a key again whose execution is gone',
  },
  {
    promise: 'I1 callers with the same keys do not deadlock',
    file: 'postgres/statements/won-keys.ts',
    line: 'order by key_hash, ord',
    instead: 'order by ord',
    test: 'test/concurrency/enqueue-races.test.ts',
    name: 'lets callers with the same keys in opposite order pass each other',
  },
  {
    promise: 'Single enqueues that share a statement fail only by their own values',
    file: 'postgres/insert-groups.ts',
    line: 'else for (const half of halvesOf(group)) await this.send(half, lockTimeoutMs);',
    instead: 'else for (const { reject } of group) reject(error);',
    test: 'test/postgres/insert-groups.test.ts',
    name: 'do not fail because of one whose values cannot be stored',
  },
  {
    promise: 'A key that an open transaction holds stops no other enqueue',
    file: 'postgres/statements/won-keys.ts',
    line: "else set_config('lock_timeout', $${parameter}::int::text, true) end as lock_timeout",
    instead: "else '' end as lock_timeout",
    test: 'test/postgres/insert-groups.test.ts',
    name: "do not wait for one whose key a user's open transaction holds",
  },
  {
    promise: 'I2 a schedule belongs to one tick at a time',
    file: 'postgres/statements/lock-due-schedules.sql.ts',
    line: 'for update skip locked`;',
    instead: '`;',
    test: 'test/postgres/tick.test.ts',
    name: 'leaves a schedule that another process is ticking to it',
  },
  {
    promise: 'I2 a cursor moves only from where the tick found it',
    file: 'postgres/statements/move-cursors.sql.ts',
    line: 'and s.cursor_at = m.cursor_old',
    test: 'test/postgres/tick.test.ts',
    name: 'happens only from where the tick found it',
  },
  {
    promise: 'I2 one schedule that fails stops no other',
    file: 'postgres/schedule/schedule-tick.ts',
    line: "await session.query('rollback to savepoint schedules');",
    test: 'test/postgres/tick.test.ts',
    name: 'tick with a failing schedule',
  },
  {
    promise: 'I3 the clock of the database decides',
    file: 'postgres/statements/bound-now.ts',
    line: '`coalesce($${parameter}::timestamptz, now())`',
    instead: "`coalesce($${parameter}::timestamptz, now() + interval '1 day')`",
    test: 'test/postgres/tick.test.ts',
    name: 'takes the time of the database where none is bound',
  },
  {
    promise: 'I3 a live lease is left alone',
    file: 'postgres/statements/rescue-expired.sql.ts',
    line: 'and w.lease_until < ${NOW}',
    test: 'test/postgres/rescue.test.ts',
    name: 'leaves live leases alone',
  },
  {
    promise: 'I4 an old token records nothing',
    file: 'postgres/statements/finish-attempts.sql.ts',
    line: 'and w.lease_token = g.token',
    everywhere: true,
    test: 'test/postgres/finish.test.ts',
    name: 'is fenced: an old token changes nothing',
  },
  {
    promise: 'I4 nothing is recorded without a lease',
    file: 'postgres/statements/finish-attempts.sql.ts',
    line: "and ${isLeased('w')}",
    everywhere: true,
    test: 'test/postgres/finish.test.ts',
    name: 'is fenced: an old token changes nothing',
  },
  {
    promise: 'I4 an old token renews nothing',
    file: 'postgres/statements/renew-leases.sql.ts',
    line: ' and mine.token = h.lease_token',
    test: 'test/postgres/leases.test.ts',
    name: 'is fenced: an old token neither renews',
  },
  {
    promise: 'I4 the transaction of a lost run rolls back',
    file: 'postgres/statements/fence-run.sql.ts',
    line: 'and lease_token = $2::bigint and lease_until is not null',
    instead: 'and $2::bigint is not null',
    test: 'test/postgres/run-transactions.test.ts',
    name: 'run',
  },
  {
    promise: 'I5 a slot has one holder',
    file: 'postgres/migrations/0001-create-ledger.ts',
    line: 'create unique index work_slot',
    instead: 'create index work_slot',
    test: 'test/concurrency/admission-races.test.ts',
    name: 'is proven by the index alone',
  },
  {
    promise: 'I5 the smallest concurrency under a key counts',
    file: 'postgres/statements/group-capacity.ts',
    line: 'min(j.concurrency)',
    instead: 'max(j.concurrency)',
    test: 'test/postgres/admit.test.ts',
    name: 'counts the smallest concurrency',
  },
  {
    promise: 'I6 polling is the truth',
    file: 'engine/worker.ts',
    line: 'return Math.min(pollIntervalMs, found.nextInMs ?? pollIntervalMs, staleInMs, tellInMs);',
    instead: 'return found.nextInMs ?? 3_600_000;',
    test: 'test/engine/polling.test.ts',
    name: 'finds work by polling alone',
  },
  {
    promise: 'I7 every transaction of ours is READ COMMITTED',
    file: 'postgres/database/database.ts',
    line: "'begin isolation level read committed'",
    instead: "'begin'",
    test: 'test/postgres/hostile-host.test.ts',
    name: 'runs every transaction of its own READ COMMITTED',
  },
  {
    promise: 'I7 rescue never waits for a row',
    file: 'postgres/statements/rescue-expired.sql.ts',
    line: 'for update skip locked',
    instead: 'for update',
    test: 'test/postgres/rescue.test.ts',
    name: 'takes no more than the limit and does not wait',
  },
  {
    promise: 'I8 a frozen transaction is ended by the server',
    file: 'postgres/run-transactions.ts',
    line: 'await session.query(`set local idle_in_transaction_session_timeout = ${leaseMs}`);',
    test: 'test/postgres/run-transactions.test.ts',
    name: 'is to be ended by the server',
  },
  {
    promise: 'I9 how far a schedule has come is on record',
    file: 'postgres/statements/move-cursors.sql.ts',
    line: 'set cursor_at = m.cursor_new,',
    instead: 'set',
    test: 'test/postgres/tick.test.ts',
    name: 'writes the executions of all due schedules and moves their cursors',
  },
  {
    promise: 'I8 runs in transactions leave connections of the pool to the rest',
    file: 'postgres/run-transactions.ts',
    line: ' - SPARE_CONNECTIONS',
    test: 'test/engine/small-pools.test.ts',
    name: 'keeps all leases in a pool of',
  },
  {
    promise: "I4 a lease shorter than the worker's heartbeat is renewed in time",
    file: 'engine/lease-keeper.ts',
    line: 'if (execution.renewalDueMs < this.nextTurnMs) this.loop.wake();',
    test: 'libs/scheduled-jobs/src/engine/lease-keeper.test.ts',
    name: 'renews a lease that is shorter than the interval',
  },
  {
    promise: 'I6 a connection that dies in silence stops no worker',
    file: 'postgres/database/session.ts',
    line: 'if (this.answerMs > 0 && needsNewConnection(error)) await this.discard();',
    test: 'test/postgres/database.test.ts',
    name: 'gives up a connection that stays silent',
  },
  {
    promise: 'a heartbeat leaves no index entries behind',
    file: 'postgres/migrations/0001-create-ledger.ts',
    line: "create index work_leased on ${table.work} (execution_id) where phase = 'leased'",
    instead: "create index work_leased on ${table.work} (lease_until) where phase = 'leased'",
    test: 'test/engine/long-transaction.test.ts',
    name: 'changes no indexed column',
  },
  ...HTTP_GUARDS,
  ...ACTION_GUARDS,
  ...OBSERVABILITY_GUARDS,
  ...ALERT_GUARDS,
  ...BROWSE_GUARDS,
  ...DASHBOARD_GUARDS,
  ...COMMAND_GUARDS,
  ...OVERLAP_GUARDS,
  ...QUEUE_GUARDS,
  ...OPERATION_GUARDS,
  ...RETRY_GUARDS,
  ...STEP_GUARDS,
  ...LEASE_GUARDS,
  ...TIME_GUARDS,
];
