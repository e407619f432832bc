// Makes a process die, or a statement fail, at named moments of what it does with the database. The server really raises
// the errors, so that transactions and connections are in the state in which such an error leaves them.
import pg from 'pg';
import { keptStatements } from '../../../libs/scheduled-jobs/dist/postgres/kept-statements.js';
import { ledgerNames } from '../../../libs/scheduled-jobs/dist/postgres/ledger-names.js';
import { admitWaitingSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/admit-waiting.sql.js';
import { commitWithRunSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/commit-with-run.sql.js';
import { finishAttemptsSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/finish-attempts.sql.js';
import { insertExecutionsSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/insert-executions.sql.js';
import { lockDueSchedulesSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/lock-due-schedules.sql.js';
import { moveCursorsSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/move-cursors.sql.js';
import { recordStepSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/record-step.sql.js';
import { renewLeasesSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/renew-leases.sql.js';
import { rescueExpiredSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/rescue-expired.sql.js';
import { storeFrozenItemsSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/store-frozen-items.sql.js';
import { takeFrozenItemsSql } from '../../../libs/scheduled-jobs/dist/postgres/statements/take-frozen-items.sql.js';
import { seededRandom } from '../seeded-random.mjs';

const names = ledgerNames('scheduled_jobs');
const { claim, finishSucceeded } = keptStatements(names);
/** The statements of a tick, a claim, a run, a renewal and a record, by name. */
const STATEMENTS = new Map([
  ...[claim.call, claim.text].map((text) => /** @type {const} */ ([text, 'claim'])),
  ...[finishSucceeded.call, finishSucceeded.text].map((text) => /** @type {const} */ ([text, 'finish succeeded'])),
  ...Object.entries({
    'lock due': lockDueSchedulesSql,
    insert: insertExecutionsSql,
    'move cursors': moveCursorsSql,
    'commit chunk': commitWithRunSql,
    'finish any': finishAttemptsSql,
    'record step': (of) => recordStepSql(of, 'here'),
    'record step in transaction': (of) => recordStepSql(of, 'follows'),
    'store frozen': storeFrozenItemsSql,
    'take frozen': takeFrozenItemsSql,
    renew: renewLeasesSql,
    rescue: rescueExpiredSql,
    admit: admitWaitingSql,
  }).map(([name, statement]) => [statement(names), name]),
]);

const COMMIT = /^commit$/i;
const BEGIN = /^(begin|start transaction)/i;

/**
 * @param {readonly import('../bare-process.js').Fault[]} faults
 * @param {number} seed decides when faults that have a rate strike
 */
export function installFaults(faults, seed) {
  if (faults.length === 0) return;
  const random = seededRandom(seed);
  const armed = faults.map((fault) => ({ ...fault, left: fault.nth ?? 1 }));
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = function query(...args) {
    const moment = momentOf(this, args[0]);
    const strikes = (when) => armed.find((fault) => isHit(fault, moment, when) && random() < (fault.rate ?? 1));
    const before = strikes('before');
    if (before !== undefined) return strike(before, (text) => send.call(this, text));
    const answer = send.apply(this, args);
    if (typeof answer?.then !== 'function') return answer;
    return answer.then((result) => {
      const after = strikes('after');
      return after === undefined ? result : strike(after, (text) => send.call(this, text));
    });
  };
}

/** Which statement it is, and for a commit which ones its transaction sent. */
function momentOf(client, config) {
  const text = typeof config === 'string' ? config : config?.text;
  const name = STATEMENTS.get(text) ?? null;
  client.sentInTransaction ??= new Set();
  if (BEGIN.test(text)) client.sentInTransaction.clear();
  if (name !== null) client.sentInTransaction.add(name);
  return { name, committed: COMMIT.test(text) ? new Set(client.sentInTransaction) : null };
}

function isHit(fault, { name, committed }, when) {
  const ofCommit = fault.moment.endsWith('the commit');
  if (!fault.moment.startsWith(when)) return false;
  const isMeant = ofCommit
    ? committed !== null && (fault.at === undefined || committed.has(fault.at))
    : fault.at === undefined || fault.at === name;
  if (!isMeant) return false;
  fault.left -= 1;
  return fault.left <= 0;
}

function strike({ effect }, send) {
  if (effect === 'die') {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  }
  if (effect === '57P01') return send('select pg_terminate_backend(pg_backend_pid())');
  return send(`do $$ begin raise exception 'injected' using errcode = '${effect}'; end $$`);
}
