import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const HOUR = 3_600_000;
const window = { jobName: 'job', from: T0, to: after(24 * HOUR) };
const statistics = (request: Partial<typeof window> = {}) =>
  ledgerOf().stores.statistics.ofJob({ ...window, ...request });

interface Ended {
  readonly state: string;
  readonly attempts?: number;
  readonly at?: Date;
  readonly delayMs?: number;
  readonly durationMs?: number;
  readonly processed?: number | null;
  readonly reason?: string | null;
}

/** An execution with its attempts and its end, as workers record them; the last attempt is the one that counts. */
async function ended(count: number, execution: Ended): Promise<void> {
  const { state, attempts = 1, at = T0, delayMs = 0, durationMs = 1_000, processed = null, reason = null } = execution;
  await ledgerOf().sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || gen_random_uuid(), 'job', $1, 'default', 0, 4, 'enqueue', $1 from generate_series(1, $2::int)
       returning id, key),
     k as (insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from e),
     t as (
       insert into attempts (execution_id, lease_token, attempt, started_at, finished_at, outcome)
       select id, nextval('lease_tokens'), n, s.started, s.started + $5 * interval '1 ms', case when n < $3 then 'failed' else $6 end
       from e, generate_series(1, $3::int) n, lateral (select $1::timestamptz + $4 * interval '1 ms' as started) s
       returning execution_id, lease_token, started_at, finished_at)
     insert into outcomes (execution_id, state, reason, attempts, lease_token, first_started_at, started_at, finished_at, processed)
     select e.id, $6, $8, $3, coalesce(max(lease_token), 0), min(started_at), max(started_at), coalesce(max(finished_at), $1), $7
     from e left join t on t.execution_id = e.id group by e.id`,
    [at, count, attempts, delayMs, durationMs, state, processed, reason],
  );
}

describe('statistics of a job', () => {
  it('count executions by what became of them, and attempts apart', async () => {
    await ended(8, { state: 'succeeded' });
    await ended(1, { state: 'succeeded', attempts: 3 });
    await ended(1, { state: 'failed', attempts: 3 });
    await ended(2, { state: 'skipped', attempts: 0, reason: 'excluded' });
    await ended(3, { state: 'canceled', attempts: 0 });
    await ledgerOf().insert(newExecution({ scheduledFor: after(HOUR) }));
    const { executions, successRate, attempts, retries } = await statistics();
    expect({ successRate, attempts, retries }).toEqual({ successRate: 9 / 10, attempts: 14, retries: 4 });
    expect(executions).toEqual({ succeeded: 9, completedWithErrors: 0, failed: 1, canceled: 3, skipped: 2, open: 1 });
  });

  it('are zeros and nulls without a row, and plain JSON', async () => {
    const found = await statistics();
    expect(found).toMatchObject({
      rows: 0,
      capped: false,
      oldestAt: null,
      executions: { succeeded: 0, completedWithErrors: 0, failed: 0, canceled: 0, skipped: 0, open: 0 },
      successRate: null,
      durationMs: null,
      startDelayMs: null,
      throughputPerSecond: null,
      attempts: 0,
      processed: 0,
    });
    expect(JSON.parse(JSON.stringify(found))).toMatchObject({ successRate: null, durationMs: null });
    expect(found.buckets.every(({ p50Ms, p95Ms }) => p50Ms === null && p95Ms === null)).toBe(true);
  });

  it('name the window and the rows that they are of: what retention has removed is not among them', async () => {
    await ended(1, { state: 'succeeded', durationMs: 60_000 });
    await ended(3, { state: 'succeeded', at: after(2 * HOUR) });
    const before = await statistics();
    expect(before).toMatchObject({ ...window, rows: 4, oldestAt: T0, durationMs: { p50: 1_000, max: 60_000 } });
    await ledgerOf().sql(
      `with o as (delete from outcomes where finished_at < $1 returning execution_id),
       a as (delete from attempts where execution_id in (select execution_id from o))
       delete from executions where id in (select execution_id from o)`,
      [after(HOUR)],
    );
    const later = await statistics();
    expect(later).toMatchObject({ ...window, rows: 3, oldestAt: after(2 * HOUR), durationMs: { max: 1_000 } });
  });

  it('have percentiles of durations and of start delays, and the items of a second', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      await ended(1, { state: 'succeeded', durationMs: n * 1_000, delayMs: n * 100, processed: n });
    }
    await ended(1, { state: 'skipped', attempts: 0, reason: 'excluded' });
    expect(await statistics()).toMatchObject({
      durationMs: { p50: 5_000, p95: 10_000, p99: 10_000, max: 10_000 },
      startDelayMs: { p50: 500, p95: 1_000, p99: 1_000, max: 1_000 },
      processed: 55,
      throughputPerSecond: 1,
    });
  });

  it('have no negative times, whatever the clocks of two servers say of one execution', async () => {
    await ended(1, { state: 'succeeded', delayMs: -5_000, durationMs: -2_000, processed: 3 });
    const found = await statistics();
    const nothing = { p50: 0, p95: 0, p99: 0, max: 0 };
    expect(found).toMatchObject({ durationMs: nothing, startDelayMs: nothing, throughputPerSecond: null });
    expect(found.buckets[0]).toMatchObject({ p50Ms: 0, p95Ms: 0, startDelayP50Ms: 0, startDelayP95Ms: 0 });
  });

  it('have the only value in each percentile of one row', async () => {
    await ended(1, { state: 'succeeded', delayMs: 7, durationMs: 0 });
    const one = { p50: 7, p95: 7, p99: 7, max: 7 };
    expect(await statistics()).toMatchObject({ rows: 1, successRate: 1, startDelayMs: one, durationMs: { max: 0 } });
  });

  it('fill every bucket of the window, however few rows there are', async () => {
    await ended(2, { state: 'succeeded', at: after(3 * HOUR) });
    await ended(1, { state: 'failed', at: after(3 * HOUR + 1), durationMs: 3_000, delayMs: 400 });
    const { buckets, bucketMs } = await statistics();
    expect(bucketMs).toBe(15 * 60_000);
    expect(buckets).toHaveLength(96);
    expect(buckets[12]).toEqual({
      from: after(3 * HOUR),
      succeeded: 2,
      completedWithErrors: 0,
      failed: 1,
      canceled: 0,
      skipped: 0,
      p50Ms: 1_000,
      p95Ms: 3_000,
      startDelayP50Ms: 0,
      startDelayP95Ms: 400,
    });
    expect(buckets.filter(({ succeeded }) => succeeded > 0)).toHaveLength(1);
  });

  it('leave out what is due at the end of the window, and other jobs', async () => {
    await ended(1, { state: 'succeeded', at: window.to });
    expect(await statistics()).toMatchObject({ rows: 0 });
    expect(await statistics({ to: after(25 * HOUR) })).toMatchObject({ rows: 1 });
    expect(await statistics({ jobName: 'other', to: after(25 * HOUR) })).toMatchObject({ rows: 0 });
  });

  it('look at the newest 20,000 executions only, and say so', async () => {
    await ended(1, { state: 'failed' });
    await ended(20_000, { state: 'succeeded', at: after(3 * HOUR) });
    const found = await statistics();
    expect(found).toMatchObject({ rows: 20_000, capped: true, oldestAt: after(3 * HOUR), successRate: 1 });
    expect(found.buckets[0]?.from).toEqual(after(3 * HOUR));
    expect(await statistics({ from: after(HOUR) })).toMatchObject({ rows: 20_000, capped: false });
  });
});
