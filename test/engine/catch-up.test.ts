import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { Scheduler } from '../../libs/scheduled-jobs/src/engine/scheduler.js';
import { expectComplete } from '../support/completeness.js';
import { EventRecorder, eventually, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after } from '../support/ledger.js';
import { SettableClock } from '../support/settable-clock.js';
import type { TestJob } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000] as const;

describe('Catch-up', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  let definitions: JobDefinition[] = [];
  /** The last full hour of the database: workers go by its clock, so outages end in its present. */
  let hour: Date;
  beforeEach(async () => {
    ({ hour } = await ledger().row<{ hour: Date }>(`select date_trunc('hour', now()) as hour`));
  });
  afterEach(() => expectComplete(ledger(), definitions));

  async function schedulerOf(cron: string, options: Readonly<Record<string, unknown>>, startedAt: Date) {
    definitions = [scheduledJob(cron, options)];
    const clock = new SettableClock(startedAt);
    const store = ledger().stores.schedules;
    await store.register(definitions, startedAt);
    const scheduler = new Scheduler({ store, definitions, clock, emit: new EventRecorder().emit });
    return {
      tickAt: async (now: Date) => {
        clock.now = now;
        return (await scheduler.runOnce())!;
      },
    };
  }
  /** Nominal times, in the order in which they were inserted, as what has passed since a moment. */
  const insertedSince = async (from: Date) =>
    (await ledger().sql<{ at: Date }>('select scheduled_for as at from executions order by id')).map(
      ({ at }) => at.getTime() - from.getTime(),
    );
  const ranges = () =>
    ledger().sql('select from_at, to_at, occurrences::int as count, reason from skipped_ranges order by id');
  const every = (stepMs: number, count: number) => Array.from({ length: count }, (_, n) => (n + 1) * stepMs);

  it('after 30 days takes the window, records one range of the rest, and goes on as usual', async () => {
    const { tickAt } = await schedulerOf('*/5 * * * *', { catchUp: { window: '1h' } }, after(-30 * DAY_MS, hour));
    expect(await tickAt(hour)).toMatchObject({ inserted: 12, leftOut: 8_628 });
    expect(await insertedSince(after(-HOUR_MS, hour))).toEqual(every(5 * MINUTE_MS, 12));
    expect(await ranges()).toEqual([
      {
        from_at: after(-30 * DAY_MS + 5 * MINUTE_MS, hour),
        to_at: after(-HOUR_MS, hour),
        count: 8_628,
        reason: 'catch-up',
      },
    ]);
    expect(await tickAt(after(5 * MINUTE_MS, hour))).toMatchObject({ inserted: 1, leftOut: 0 });
    expect((await insertedSince(hour)).at(-1)).toBe(5 * MINUTE_MS);
  });

  it.each([
    ['0 * * * *', HOUR_MS, 24],
    ['*/5 * * * *', 5 * MINUTE_MS, 288],
  ])('after a day makes all rows of %s, the oldest first', async (cron, stepMs, count) => {
    const start = after(-DAY_MS, hour);
    const { tickAt } = await schedulerOf(cron, { catchUp: { window: '2d' } }, start);
    expect(await tickAt(hour)).toMatchObject({ inserted: count, leftOut: 0 });
    expect(await insertedSince(start)).toEqual(every(stepMs, count));
    expect(await ranges()).toEqual([]);
  });

  it.each([
    ['latest', [0], 23],
    ['none', [], 24],
  ])('under the policy %s makes what it says and records one range of the rest', async (policy, inserted, count) => {
    const late = after(10 * MINUTE_MS, hour);
    const { tickAt } = await schedulerOf('0 * * * *', { catchUp: { policy } }, after(-DAY_MS, hour));
    await tickAt(late);
    expect(await insertedSince(hour)).toEqual(inserted);
    expect(await ranges()).toMatchObject([{ count, reason: 'catch-up' }]);
    await tickAt(after(50 * MINUTE_MS, hour));
    await tickAt(after(HOUR_MS, hour));
    expect(await insertedSince(hour)).toEqual([...inserted, HOUR_MS]);
  });

  /** Runs what an outage of some minutes has left, with as many workers, each of which could run five at once. */
  async function runBacklog(minutes: number, job: TestJob, { options = {}, workers = 1 } = {}) {
    const { now } = await ledger().row<{ now: Date }>(`select date_trunc('minute', now()) as now`);
    const { tickAt } = await schedulerOf('* * * * *', options, after(-minutes * MINUTE_MS, now));
    await tickAt(now);
    const handler = typeof job === 'function' ? job : job.handler;
    const jobs = { job: { ...options, cron: '* * * * *', handler } };
    const started = await Promise.all(Array.from({ length: workers }, () => startWorker(jobs, { concurrency: 5 })));
    await eventually(async () => (await ledger().sql('select 1 from work')).length === 0, {
      withinMs: 20_000,
      what: 'the end of all',
    });
    await tickAt(now);
    return started;
  }

  it('never runs more at once than the job allows, however many are due and workers there are', async () => {
    let running = 0;
    let most = 0;
    const handler = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    await runBacklog(60, handler, { options: { concurrency: 3, lease: '10s' }, workers: 2 });
    expect(most).toBe(3);
    expect(await ledger().row('select count(*)::int as count from outcomes')).toEqual({ count: 60 });
  });

  it('calls a handler that always throws as often as maxAttempts says for each period, and makes no period again', async () => {
    const calls = new Map<string, number>();
    const handler = ({ key }: { readonly key: string }) => {
      calls.set(key, (calls.get(key) ?? 0) + 1);
      throw new Error('always');
    };
    await runBacklog(5, handler, { options: { retry: { maxAttempts: 3, backoff: ['10ms'] } } });
    expect([...calls.values()]).toEqual([3, 3, 3, 3, 3]);
    expect(await ledger().sql('select state, attempts, count(*)::int as count from outcomes group by 1, 2')).toEqual([
      { state: 'failed', attempts: 3, count: 5 },
    ]);
    expect(await ledger().row('select count(distinct scheduled_for)::int as periods from executions')).toEqual({
      periods: 5,
    });
  });

  it('gives a period one attempt that runs out of time where maxAttempts is 1', async () => {
    const handler = ({ signal }: { readonly signal: AbortSignal }) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await runBacklog(1, handler, { options: { timeout: '50ms', retry: { maxAttempts: 1 } } });
    expect(await ledger().sql('select outcome, attempt from attempts')).toEqual([{ outcome: 'timed_out', attempt: 1 }]);
    expect(await ledger().sql('select state, error_code from outcomes')).toEqual([
      { state: 'failed', error_code: 'JOBS_ATTEMPT_TIMEOUT' },
    ]);
  });

  it('shows how late a period ran, and skips one that waited past its deadline without calling the handler', async () => {
    const { tickAt } = await schedulerOf('0 * * * *', { retry: { deadline: '2h' } }, after(-5 * HOUR_MS, hour));
    await tickAt(after(-3 * HOUR_MS, hour)); // inserts two, which nobody runs for three hours
    await tickAt(hour); // inserts three, two of them late
    const called: string[] = [];
    const handler = ({ scheduledFor }: { readonly scheduledFor: Date }) => {
      called.push(new Date(scheduledFor.getTime() - hour.getTime()).toISOString().slice(11, 16));
    };
    await startWorker({ job: { cron: '0 * * * *', retry: { deadline: '2h' }, handler } });
    await eventually(async () => (await ledger().sql('select 1 from work')).length === 0, { what: 'the end of all' });
    expect(called).toEqual(['22:00', '23:00', '00:00']);
    const { items } = await ledger().stores.ledger.find({ job: 'job' }, null);
    expect(items.map(({ state, reason, attempts }) => ({ state, reason, attempts }))).toEqual([
      ...Array.from({ length: 3 }, () => ({ state: 'succeeded', reason: null, attempts: 1 })),
      ...Array.from({ length: 2 }, () => ({ state: 'skipped', reason: 'deadline', attempts: 0 })),
    ]);
    for (const { startDelayMs, startedAt, scheduledFor } of items.slice(0, 3)) {
      expect(startDelayMs).toBe(startedAt!.getTime() - scheduledFor.getTime());
    }
    expect(items[2]!.startDelayMs).toBeGreaterThanOrEqual(2 * HOUR_MS);
  });
});
