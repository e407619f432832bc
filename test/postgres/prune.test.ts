import { describe, expect, it } from 'vitest';
import type { PrunePosition, PruneStep } from '../../libs/scheduled-jobs/src/core/ports/retention-store.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { pruneExecutionsSql } from '../../libs/scheduled-jobs/src/postgres/statements/prune-executions.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, newExecution, storedError, T0 } from '../support/ledger.js';
import { everySecond, scheduledJob } from '../support/schedules.js';

const DAY_MS = 86_400_000;
const RETENTION = { succeeded: 30 * DAY_MS, skipped: 30 * DAY_MS, failed: 90 * DAY_MS };
const days = (count: number): Date => after(count * DAY_MS);

const ledgerOf = useLedger();
const prune = (jobName = 'job', now = days(31), limit = 1_000, from: PrunePosition | null = null): Promise<PruneStep> =>
  ledgerOf().stores.retention.prune({ jobName, after: from, limit, now });
const job = (name: string, retention: object) =>
  ledgerOf().sql(`insert into jobs (name, overlap, concurrency, retention) values ($1, 'queue', 1, $2)`, [
    name,
    retention,
  ]);
const keys = async () =>
  (await ledgerOf().sql<{ key: string }>('select key from executions order by id')).map(({ key }) => key);

/** Executions that ended one second after T0, with everything that a run can leave behind. */
async function ended(jobName: string, state: 'succeeded' | 'failed', ...names: string[]): Promise<void> {
  await ledgerOf().insert(...names.map((name) => ({ jobName, key: `${jobName}:${name}`, scheduledFor: T0 })));
  const claimed = await ledgerOf().claim();
  for (const { executionId, leaseToken } of claimed) {
    await ledgerOf().stores.work.appendLogs([
      { executionId, leaseToken, lineNo: 1, at: T0, level: 'info', message: 'm', fields: null },
    ]);
    await ledgerOf().sql(`insert into items values ($1, 'all', 'i', $2, now(), 'E', null, 'm', null, 'f')`, [
      executionId,
      leaseToken,
    ]);
    await ledgerOf().sql(`insert into checkpoints values ($1, 'all', null, true, 1, $2, now())`, [
      executionId,
      leaseToken,
    ]);
    await ledgerOf().sql(`insert into frozen_items values ($1, 'all', 1, 'i', false)`, [executionId]);
    await ledgerOf().sql(`insert into steps values ($1, 'charge', $2, now(), now(), null)`, [executionId, leaseToken]);
  }
  const error = state === 'failed' ? storedError() : null;
  await ledgerOf().stores.work.finish(
    claimed.map((one) => attemptRecord(one, { disposition: state, outcome: state, error })),
    { workerId: 'w1', now: after(1_000) },
  );
}

describe('prune', () => {
  it('removes what ended longer ago than its state is kept, with all that belongs to it, and keeps the key', async () => {
    await job('job', RETENTION);
    await ended('job', 'succeeded', 'a', 'b');
    await ended('job', 'failed', 'c');
    expect(await prune('job', after(1_000, days(30)))).toEqual({ removed: 0, next: null });
    expect(await prune('job', after(1_001, days(30)))).toEqual({ removed: 2, next: null });
    expect(await keys()).toEqual(['job:c']);
    for (const table of ['outcomes', 'attempts', 'items', 'frozen_items', 'checkpoints', 'steps', 'logs']) {
      expect(await ledgerOf().sql(`select count(*)::int as n from ${table}`), table).toEqual([{ n: 1 }]);
    }
    expect(await ledgerOf().row('select count(*)::int as n from keys')).toEqual({ n: 3 });
    expect(await prune('job', days(91))).toEqual({ removed: 1, next: null });
    expect(await ledgerOf().row('select count(*)::int as n from keys')).toEqual({ n: 3 });
  });

  it('removes what the audit says of a replaced execution, and keeps what people did to it', async () => {
    await job('job', RETENTION);
    await ended('job', 'succeeded', 'a');
    const entry = `insert into audit (at, action, subject, job_name, execution_id, actor, details)
      select now(), 'cancel', key, job_name, id, $1, $2 from executions`;
    await ledgerOf().sql(entry, [null, { done: 'asked', replacedBy: '7' }]);
    await ledgerOf().sql(entry, [null, { done: 'asked' }]);
    await ledgerOf().sql(entry, ['ada', { done: 'asked' }]);
    await prune();
    expect(await ledgerOf().sql('select actor, details from audit order by id')).toEqual([
      { actor: null, details: { done: 'asked' } },
      { actor: 'ada', details: { done: 'asked' } },
    ]);
  });

  it('touches no other job, no state without a retention, and nothing that has not ended', async () => {
    await job('job', { succeeded: DAY_MS });
    await job('other', { succeeded: 99 * DAY_MS });
    await ended('other', 'succeeded', 'kept');
    await ended('job', 'failed', 'kept');
    await ended('job', 'succeeded', 'old');
    await ledgerOf().insert({ jobName: 'job', key: 'job:running', scheduledFor: T0 });
    await ledgerOf().claim();
    await ledgerOf().insert({ jobName: 'job', key: 'job:pending', scheduledFor: T0 });
    expect(await prune('job', days(50))).toMatchObject({ removed: 1 });
    expect(await keys()).toEqual(['other:kept', 'job:kept', 'job:running', 'job:pending']);
    expect(await ledgerOf().sql('select phase from work order by execution_id')).toEqual([
      { phase: 'leased' },
      { phase: 'ready' },
    ]);
  });

  it('keeps everything of a job whose retention nobody has registered, and of an unknown one', async () => {
    await job('old', {});
    await ended('old', 'succeeded', 'a');
    await ended('unknown', 'succeeded', 'a');
    expect(await ledgerOf().stores.retention.jobNames()).toEqual([]);
    expect(await prune('old', days(9_999))).toEqual({ removed: 0, next: null });
    expect(await prune('unknown', days(9_999))).toEqual({ removed: 0, next: null });
  });

  it('names the jobs that keep executions for a limited time', async () => {
    await job('b', RETENTION);
    await job('a', { failed: 1 });
    expect(await ledgerOf().stores.retention.jobNames()).toEqual(['a', 'b']);
  });

  it('counts from the end of an execution, not from its nominal time', async () => {
    await job('job', RETENTION);
    await ended('job', 'succeeded', 'late');
    await ledgerOf().sql('update outcomes set finished_at = $1', [days(5)]);
    expect(await prune('job', days(31))).toMatchObject({ removed: 0 });
    expect(await prune('job', after(1, days(35)))).toMatchObject({ removed: 1 });
  });

  it('goes by the clock of the database when no time is bound', async () => {
    await job('job', { succeeded: 60_000 });
    await ended('job', 'succeeded', 'a', 'b');
    await ledgerOf().sql(`update executions set scheduled_for = now() - interval '2 minutes'`);
    await ledgerOf().sql(`
      update outcomes set finished_at = now() - case execution_id when (select min(id) from executions)
        then interval '61 s' else interval '50 s' end`);
    const step = await ledgerOf().stores.retention.prune({ jobName: 'job', after: null, limit: 10, now: null });
    expect(step).toEqual({ removed: 1, next: null });
    expect(await keys()).toEqual(['job:b']);
  });

  it('walks in steps, the oldest first, past what is kept', async () => {
    await job('job', RETENTION);
    await ended('job', 'failed', 'x', 'y');
    await ended('job', 'succeeded', 'a', 'b', 'c');
    const first = await prune('job', days(31), 2);
    expect(first).toMatchObject({ removed: 0, next: { scheduledFor: T0 } });
    const second = await prune('job', days(31), 2, first.next);
    expect(second).toMatchObject({ removed: 2 });
    expect(await keys()).toEqual(['job:x', 'job:y', 'job:c']);
    expect(await prune('job', days(31), 2, second.next)).toEqual({ removed: 1, next: null });
  });

  it('leaves an execution whose outcome somebody holds, and does not wait', async () => {
    await job('job', RETENTION);
    await ended('job', 'succeeded', 'held', 'free');
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from outcomes where execution_id = (select min(id) from executions) for update');
    expect(await prune()).toMatchObject({ removed: 1 });
    expect(await keys()).toEqual(['job:held']);
    await client.query('rollback');
    expect(await prune()).toMatchObject({ removed: 1 });
  });

  it('finds nothing of an execution that is asked for again at the same moment', async () => {
    await job('job', RETENTION);
    await ended('job', 'succeeded', 'again');
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('delete from outcomes');
    await client.query(`
      insert into work (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms, attempt)
      select id, job_name, queue, priority, now(), 'ready', 4, 30000, 1 from executions`);
    expect(await prune()).toMatchObject({ removed: 0 });
    await client.query('commit');
    expect(await prune()).toMatchObject({ removed: 0 });
    expect(await keys()).toEqual(['job:again']);
    expect(await ledgerOf().sql('select 1 from attempts')).toHaveLength(1);
  });
});

describe('A period whose execution was removed', () => {
  it('is not executed again by an insert with its key', async () => {
    await job('job', RETENTION);
    await ended('job', 'succeeded', '2026-03-01');
    await prune();
    const [answer] = await ledgerOf().stores.executions.insert([newExecution({ key: 'job:2026-03-01' })], {
      tx: null,
      now: null,
    });
    expect(answer).toMatchObject({ created: false });
    expect(await keys()).toEqual([]);
  });

  it('is not executed again by a tick whose cursor was set back by hand', async () => {
    const { schedules } = ledgerOf().stores;
    const definition = scheduledJob();
    await schedules.register([definition], T0);
    const tick = (now: Date) => schedules.tick({ jobNames: ['job'], limit: 10, now }, everySecond());
    expect(await tick(after(3_000))).toMatchObject({ inserted: 3 });
    const claimed = await ledgerOf().claim({ now: after(3_000) });
    await ledgerOf().stores.work.finish(
      claimed.map((one) => attemptRecord(one)),
      { workerId: 'w1', now: after(4_000) },
    );
    await ledgerOf().sql('update jobs set retention = $1', [{ succeeded: 60_000 }]);
    expect(await prune('job', after(99_000))).toMatchObject({ removed: 3 });
    await ledgerOf().sql('update schedules set cursor_at = $1, next_at = $1', [T0]);
    expect(await tick(after(4_000))).toMatchObject({ inserted: 1 });
    expect(await keys()).toEqual(['job:2026-03-01T12:00:04.000Z']);
  });
});

describe('prune among 100,000 old executions that are kept', () => {
  it('looks at each once: every step reads only what lies behind its position', async () => {
    await job('job', { succeeded: DAY_MS, failed: 900 * DAY_MS });
    await ledgerOf().sql(
      `with e as (
         insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
         select 'job:' || n, 'job', $1::timestamptz + n * interval '1 s', 'default', 0, 4, 'enqueue', $1
         from generate_series(1, 100000) n returning id, scheduled_for)
       insert into outcomes (execution_id, state, finished_at)
       select id, case when id % 100 = 0 then 'succeeded' else 'failed' end, scheduled_for from e`,
      [T0],
    );
    await ledgerOf().sql(`insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from executions`);
    await ledgerOf().sql('analyze');
    const [position] = await ledgerOf().sql<{ scheduled_for: Date; id: string }>(
      'select scheduled_for, id from executions order by id offset 90000 limit 1',
    );
    const rows = await ledgerOf().sql<{ 'QUERY PLAN': string }>(
      `explain ${pruneExecutionsSql(ledgerNames('scheduled_jobs'))}`,
      ['job', position!.scheduled_for, position!.id, 1_000, days(50)],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Scan using executions_browse.*\n *Index Cond: .*job_name = .*ROW\(scheduled_for, id\) >/);
    for (const table of ['executions', 'outcomes']) expect(plan).not.toContain(`Seq Scan on ${table}`);

    let removed = 0;
    for (let after: PrunePosition | null = null, steps = 0; steps === 0 || after !== null; steps++) {
      const step: PruneStep = await prune('job', days(50), 1_000, after);
      removed += step.removed;
      after = step.next;
    }
    expect(removed).toBe(1_000);
  }, 60_000);
});
