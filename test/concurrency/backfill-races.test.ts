import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { backfill, newBackfill, tickAll } from '../support/backfills.js';
import { expectComplete } from '../support/completeness.js';
import { eventually, gate, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution, T0 } from '../support/ledger.js';
import { useWorkers } from '../support/test-workers.js';

const ledgerOf = useLedger();
const startWorker = useWorkers(ledgerOf);
const HOUR = 3_600_000;
const keyOf = (hour: number): string => `job:2026-03-01T${12 + hour}:00+00:00`;
const hourly = (options: Record<string, unknown> = {}): JobDefinition => scheduledJob('0 * * * *', options);
const register = (job: JobDefinition) => ledgerOf().stores.schedules.register([job], T0);
const ended = (count: number) =>
  eventually(async () => (await ledgerOf().sql('select 1 from outcomes')).length === count, {
    what: `the end of ${count} executions`,
  });
/** Resolves once a statement waits for a row that another transaction holds. */
const blocked = () => eventually(async () => (await ledgerOf().lockWaits()) > 0, { what: 'a waiting statement' });

/** Another process. */
async function stores(): Promise<Stores> {
  return ledgerOf().storesOf(await ledgerOf().connect());
}

describe('a backfill before real workers', () => {
  /** Notes which keys were run, and how many executions could run meanwhile, each itself included. */
  function noting() {
    const ran: string[] = [];
    const beside: number[] = [];
    const handler = async ({ key }: { readonly key: string }) => {
      ran.push(key);
      const { n } = await ledgerOf().row<{ n: number }>(
        `select count(*)::int as n from work where phase in ('ready', 'leased')`,
      );
      beside.push(n);
    };
    return { ran, beside, handler };
  }

  it.each([
    ['oldest-first', 'queue'],
    ['newest-first', 'queue'],
    ['oldest-first', 'allow'],
    ['newest-first', 'allow'],
  ] as const)('runs %s, one at a time, with overlap %s', async (order, overlap) => {
    const job = hourly({ overlap });
    await register(job);
    const { ran, beside, handler } = noting();
    const jobs = { job: { handler, overlap } };
    await startWorker(jobs, { concurrency: 4 });
    await startWorker(jobs, { concurrency: 4 });
    const made = await backfill(ledgerOf(), job, { from: T0, to: after(7 * HOUR), order });
    expect(made.inserted).toBe(8);
    await ended(8);
    const keys = [0, 1, 2, 3, 4, 5, 6, 7].map(keyOf);
    expect(ran).toEqual(order === 'oldest-first' ? keys : keys.toReversed());
    expect(beside).toEqual(keys.map(() => 1));
    expect(await ledgerOf().stores.backfills.find(made.backfillId)).toMatchObject({
      states: { succeeded: 8 },
      done: true,
    });
  });

  it('runs as many at a time as the job may', async () => {
    const job = hourly({ overlap: 'allow', concurrency: 3 });
    await register(job);
    const [full, may] = [gate(), gate()];
    let running = 0;
    const handler = async () => {
      running += 1;
      if (running === 3) full.open();
      await may.passed;
    };
    await startWorker({ job: { handler, overlap: 'allow', concurrency: 3 } }, { concurrency: 9 });
    await backfill(ledgerOf(), job, { from: T0, to: after(8 * HOUR) });
    await full.passed;
    expect(await ledgerOf().sql('select slot from work where slot is not null order by 1')).toEqual([
      { slot: 1 },
      { slot: 2 },
      { slot: 3 },
    ]);
    may.open();
    await ended(9);
  });

  it('lets what ticks have made since go first', async () => {
    const job = hourly();
    await register(job);
    const { ran, handler } = noting();
    await backfill(ledgerOf(), job, { from: T0, to: after(2 * HOUR) });
    const later = [3, 4].map((hour) => newExecution({ key: keyOf(hour), concurrencyKey: 'job:job' }));
    await ledgerOf().stores.executions.insert(later, { tx: null, now: null });
    await startWorker({ job: { handler, overlap: 'queue' } });
    await ended(5);
    expect(ran).toEqual([3, 4, 0, 1, 2].map(keyOf));
  });

  it('canceled on its way keeps what runs, ends the rest, and frees the job', async () => {
    const job = hourly();
    await register(job);
    const [started, may] = [gate(), gate()];
    const handler = async () => {
      started.open();
      await may.passed;
      return 'kept';
    };
    const worker = await startWorker({ job: { handler, overlap: 'queue' } });
    const { backfillId } = await backfill(ledgerOf(), job, { from: T0, to: after(9 * HOUR) });
    await started.passed;
    const { backfills } = ledgerOf().stores;
    const canceled = await backfills.cancel(backfillId, { actor: 'bob', reason: 'enough', now: null });
    expect(canceled).toMatchObject({ canceledNow: 9, states: { running: 1, canceled: 9 }, done: false });
    may.open();
    await ended(10);
    expect(await backfills.find(backfillId)).toMatchObject({ states: { succeeded: 1, canceled: 9 }, done: true });
    const next = await worker.run('job', { concurrencyKey: 'job:job' });
    expect(next).toMatchObject({ state: 'succeeded', result: 'kept' });
  });

  it('canceled again and again while workers claim loses and repeats nothing', async () => {
    const job = scheduledJob('* * * * *', { concurrency: 3 });
    await register(job);
    const ran: string[] = [];
    const handler = ({ key }: { readonly key: string }) => void ran.push(key);
    const jobs = { job: { handler, overlap: 'queue', concurrency: 3 } };
    await startWorker(jobs, { concurrency: 5 });
    await startWorker(jobs, { concurrency: 5 });
    const { backfillId } = await backfill(ledgerOf(), job, { from: after(-10 * HOUR), to: after(-1) });
    await eventually(() => ran.length > 5, { what: 'some runs' });
    const cancels = await Promise.all(
      [1, 2, 3, 4].map(async () =>
        (await stores()).backfills.cancel(backfillId, { actor: null, reason: null, now: null }),
      ),
    );
    const canceled = cancels.reduce((sum, one) => sum + (one?.canceledNow ?? 0), 0);
    const all = await eventually(async () => {
      const one = await ledgerOf().stores.backfills.find(backfillId);
      return one?.done === true && one;
    });
    expect(all.states).toEqual({ canceled, succeeded: 600 - canceled });
    expect(canceled).toBeGreaterThan(0);
    expect(new Set(ran).size).toBe(ran.length);
    expect(ran).toHaveLength(600 - canceled);
    expect(await ledgerOf().sql('select 1 from work')).toEqual([]);
  });
});

describe('a backfill beside others', () => {
  it('shares its periods with backfills and ticks of other processes: each is executed once', async () => {
    const job = scheduledJob('* * * * *', { catchUp: { window: '30d', limit: 10_000 } });
    await register(job);
    const now = after(24 * HOUR);
    const processes = await Promise.all(Array.from({ length: 5 }, () => stores()));
    const made = await Promise.all([
      ...processes.map((one, index) =>
        backfill({ stores: one }, job, {
          from: after(-HOUR),
          to: now,
          order: index % 2 === 0 ? 'oldest-first' : 'newest-first',
        }),
      ),
      ...processes.slice(0, 2).map(async (one) => {
        await tickAll({ stores: one }, [job], now);
        return null;
      }),
    ]);
    const written = made.filter((one) => one !== null);
    const ticked = await ledgerOf().row<{ n: number }>(
      `select count(*)::int as n from executions where trigger = 'schedule'`,
    );
    expect(written.reduce((sum, { inserted }) => sum + inserted, 0) + ticked.n).toBe(1_501);
    for (const { occurrences, inserted, existing, pruned } of written) {
      expect([occurrences, inserted + existing, pruned]).toEqual([1_501, 1_501, 0]);
    }
    await tickAll(ledgerOf(), [job], now);
    await expectComplete(ledgerOf(), [job]);
    expect(await ledgerOf().row('select deadlocks from pg_stat_database where datname = current_database()')).toEqual({
      deadlocks: '0',
    });
  }, 60_000);

  /** Runs `meanwhile` while a backfill waits for a key that another transaction has inserted; then that one ends. */
  async function besideOpenInsert(end: 'commit' | 'rollback', meanwhile: () => Promise<void>) {
    const job = hourly();
    await register(job);
    const { dataSource, stores: own } = ledgerOf();
    const execution = newExecution({ key: keyOf(2), period: keyOf(2), scheduledFor: after(2 * HOUR) });
    const planned = await newBackfill(own, job, { from: T0, to: after(4 * HOUR) });
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await own.executions.insert([execution], { tx: holder.manager, now: T0 });
    const inserting = own.backfills.insert(planned, null);
    await blocked();
    await meanwhile();
    await (end === 'commit' ? holder.commitTransaction() : holder.rollbackTransaction());
    await holder.release();
    return inserting;
  }

  it('counts a period as existing that somebody inserts at the same moment', async () => {
    const made = await besideOpenInsert('commit', () => Promise.resolve());
    expect(made).toMatchObject({ occurrences: 5, inserted: 4, existing: 1, pruned: 0, states: { pending: 4 } });
    expect(await ledgerOf().sql('select 1 from executions where key = $1', [keyOf(2)])).toHaveLength(1);
  });

  it('inserts a period itself whose other insert is rolled back', async () => {
    const made = await besideOpenInsert('rollback', () => Promise.resolve());
    expect(made).toMatchObject({ occurrences: 5, inserted: 5, existing: 0, states: { pending: 5 } });
  });

  it('keeps ticks away while it is written, and the next one does the rest', async () => {
    const job = hourly();
    const made = await besideOpenInsert('commit', async () => {
      const planned = { executions: [], skippedRange: null, cursorAt: T0, nextAt: null };
      const { schedules } = await (
        await stores()
      ).schedules.tick({ jobNames: ['job'], limit: 10, now: after(5 * HOUR) }, () => planned);
      expect(schedules).toBe(0);
    });
    expect(made?.inserted).toBe(4);
    await tickAll(ledgerOf(), [job], after(5 * HOUR));
    await expectComplete(ledgerOf(), [job]);
    expect(await ledgerOf().sql(`select key from executions where trigger = 'schedule'`)).toEqual([{ key: keyOf(5) }]);
  });
});
