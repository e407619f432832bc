import type { TestLedger } from './ledger.js';

/** What must hold of the ledger at every moment; each statement finds what breaks it. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'each execution has work or an outcome, not both': `
    select e.id from executions e
    left join work w on w.execution_id = e.id left join outcomes o on o.execution_id = e.id
    where (w.execution_id is null) = (o.execution_id is null)`,
  'no work and no outcome is without an execution': `
    select execution_id from (select execution_id from work union all select execution_id from outcomes) x
    where not exists (select 1 from executions e where e.id = x.execution_id)`,
  'nothing that a run remembers is without an execution': `
    select execution_id from (
      select execution_id from steps union all select execution_id from checkpoints
      union all select execution_id from items union all select execution_id from frozen_items) x
    where not exists (select 1 from executions e where e.id = x.execution_id)`,
  'no key is used twice': `select key from executions group by key having count(*) > 1`,
  'each given key is remembered for its execution': `
    select e.key from executions e
    where e.key <> e.job_name || ':id:' || e.id and not exists (
      select 1 from keys k where k.execution_id = e.id and k.key_hash = substr(sha256(convert_to(e.key, 'UTF8')), 1, 16))`,
  'an outcome counts its attempts, but for those that do not count': `
    select o.execution_id, o.attempts from outcomes o
    where o.attempts <> (
      select count(*) from attempts a where a.execution_id = o.execution_id and a.outcome not in ('interrupted', 'deferred'))`,
  'open work counts its attempts, the one that is going on included': `
    select w.execution_id, w.attempt from work w
    where w.attempt - case when w.phase = 'leased' then 1 else 0 end <> (
      select count(*) from attempts a where a.execution_id = w.execution_id and a.outcome not in ('interrupted', 'deferred'))`,
  'nothing waits for another attempt that has used up all since its last replay': `
    select execution_id, attempt, max_attempts from work
    where attempt >= max_attempts and phase <> 'leased' or attempt > max_attempts`,
  'nothing is acknowledged but failures': `
    select execution_id, state from outcomes where acknowledged_at is not null and state <> 'failed'`,
  'no attempt has a greater token than its outcome': `
    select a.execution_id from attempts a join outcomes o on o.execution_id = a.execution_id
    where a.lease_token > o.lease_token`,
  'no lease token is used twice': `
    select lease_token from (
      select execution_id, lease_token from attempts
      union select execution_id, lease_token from work where lease_token > 0
      union select execution_id, lease_token from outcomes where lease_token > 0) t
    group by lease_token having count(*) > 1`,
  'no concurrency key holds more slots than its jobs allow': `
    select w.concurrency_key from work w
    where w.slot is not null
    group by w.concurrency_key
    having count(*) > (
      select max(j.concurrency) from work x join jobs j on j.name = x.job_name
      where x.concurrency_key = w.concurrency_key and x.slot is not null)`,
  'what waits for a slot has none': `select execution_id from work where phase = 'waiting' and slot is not null`,
  'no overlap policy may drop what was backfilled': `
    select w.execution_id from work w join executions e on e.id = w.execution_id
    where w.elective and (e.trigger = 'backfill' or w.concurrency_key is null)`,
  'what was skipped by overlap names what was in its way, what was superseded what replaced it, and nothing else does': `
    select execution_id, state, reason from outcomes
    where (blocked_by is not null) <> coalesce(reason in ('overlap', 'superseded'), false)`,
  'a cursor stands at or behind the present of its last tick, and its job has nothing behind it': `
    select s.schedule_name from schedules s
    where exists (
      select 1 from executions e
      where e.job_name = s.job_name and e.trigger = 'schedule' and e.scheduled_for > s.cursor_at)`,
};

/**
 * Looks at the whole ledger.
 * @throws Error with the invariants that do not hold and the rows that show it.
 */
export async function expectInvariants(ledger: TestLedger): Promise<void> {
  const broken: Record<string, unknown[]> = {};
  for (const [name, statement] of Object.entries(INVARIANTS)) {
    const rows = await ledger.sql(statement);
    if (rows.length > 0) broken[name] = rows;
  }
  if (Object.keys(broken).length > 0) throw new Error(`The ledger is broken: ${JSON.stringify(broken, null, 2)}`);
}
