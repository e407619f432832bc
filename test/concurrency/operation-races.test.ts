import { describe, expect, it } from 'vitest';
import { JobsError } from '../../libs/scheduled-jobs/src/core/errors.js';
import type { AttemptRecord } from '../../libs/scheduled-jobs/src/core/execution/attempt-record.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import type { ReplayPosition } from '../../libs/scheduled-jobs/src/core/ports/replay-store.js';
import { Operations } from '../../libs/scheduled-jobs/src/engine/operations.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError } from '../support/ledger.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';

const ledgerOf = useLedger();
const EXECUTIONS = 60;
const ROUNDS = process.env['SOAK'] === '1' ? 2_000 : 25;
const NAME = 'operators';
/** What an operator is told when somebody else came first. */
const LATE = new Set(['JOBS_EXECUTION_ENDED', 'JOBS_EXECUTION_NOT_REPLAYABLE', 'JOBS_EXECUTION_NOT_FAILED']);

/** Bound time that moves with each step, and what the operators were told. */
class World {
  private step = 0;
  goesOn = true;
  replays = 0;
  slowestCancelMs = 0;
  readonly tokens = new Map<string, bigint>();
  readonly breaches: unknown[] = [];

  constructor(readonly random: () => number) {}

  now(): Date {
    return after((this.step += 1) * 20);
  }

  any(): string {
    return `job:${Math.floor(this.random() * EXECUTIONS)}`;
  }

  /** Each claim of an execution, after replays as well, has a greater token and a later number. */
  note({ executionId, leaseToken, attempt, maxAttempts }: ClaimedExecution): void {
    const isLater = BigInt(leaseToken) > (this.tokens.get(executionId) ?? 0n);
    if (!isLater || attempt > maxAttempts) this.breaches.push({ executionId, leaseToken, attempt, maxAttempts });
    this.tokens.set(executionId, BigInt(leaseToken));
  }

  record(claimed: ClaimedExecution): AttemptRecord {
    const now = this.now();
    const times = { startedAt: now, finishedAt: now };
    if (this.random() < 0.4) return attemptRecord(claimed, times);
    const failed = { ...times, outcome: 'failed', error: storedError() } as const;
    return claimed.attempt < claimed.maxAttempts
      ? attemptRecord(claimed, { ...failed, disposition: 'retry', runAt: now })
      : attemptRecord(claimed, { ...failed, disposition: 'failed' });
  }
}

async function work({ work: store }: Stores, world: World, workerId: string): Promise<number> {
  await store.promote(100, world.now());
  await store.admit(null);
  const claimed = await store.claim({
    workerId,
    quotas: [{ queue: 'default', take: 10, start: 10 }],
    jobNames: ['job'],
    now: world.now(),
  });
  for (const one of claimed) world.note(one);
  const kept = claimed.filter(() => !world.goesOn || world.random() > 0.05);
  const finished = await store.finish(
    kept.map((one) => world.record(one)),
    { workerId, now: world.now() },
  );
  await store.admit([...new Set(finished.flatMap(({ freedKey }) => freedKey ?? []))]);
  const rescued = await store.rescue(50, world.now());
  return claimed.length + rescued.length;
}

async function unlessLate<T>(operation: Promise<T>): Promise<T | null> {
  return operation.catch((error: unknown) => {
    if (error instanceof JobsError && LATE.has(error.code)) return null;
    throw error;
  });
}

async function cancel(stores: Stores, world: World): Promise<void> {
  const began = performance.now();
  const by = { actor: 'canceler', reason: 'a race', now: world.now() };
  await unlessLate(new Operations(stores.operations, stores.replays).cancel(world.any(), by));
  world.slowestCancelMs = Math.max(world.slowestCancelMs, performance.now() - began);
}

async function replay(stores: Stores, world: World): Promise<void> {
  const by = { actor: 'replayer', reason: 'a race', now: world.now() };
  const operations = new Operations(stores.operations, stores.replays);
  await unlessLate(operations.acknowledgeOne(world.any(), by));
  const one = await unlessLate(operations.replay(world.any(), { ...by, force: world.random() < 0.2, corrected: null }));
  if (one !== null) world.replays += 1;
  for (let after: ReplayPosition | null = null; ;) {
    const filter = { job: 'job', fingerprint: 'f1' };
    const page = await stores.replays.replayPage({ ...by, filter, limit: 7, maxPerMinute: 60_000, after });
    world.replays += page.replayed.length;
    if (page.next === null) return;
    after = page.next;
  }
}

describe('operators among workers', () => {
  it('cancel within a second, replay each ending once, and break nothing', { timeout: 600_000 }, async () => {
    const seed = testSeed();
    const world = new World(seededRandom(seed));
    await ledgerOf().jobs({ name: 'job', concurrency: 2 });
    await ledgerOf().insert(
      ...Array.from({ length: EXECUTIONS }, (_, n) => ({
        key: `job:${n}`,
        maxAttempts: 2,
        leaseMs: 1_000,
        deadlineMs: 864_000_000,
        concurrencyKey: n % 3 === 0 ? `k${n % 7}` : null,
      })),
    );
    const sources = await Promise.all(
      Array.from({ length: 7 }, () => ledgerOf().connect({ poolSize: 2, applicationName: NAME })),
    );
    const stores = sources.map((source) => ledgerOf().storesOf(source));
    const operators = [cancel, cancel, replay, replay].map(async (operate, n) => {
      for (let round = 0; round < ROUNDS; round += 1) await operate(stores[n]!, world);
    });
    const workers = stores.slice(4).map(async (own, n) => {
      while (world.goesOn) await work(own, world, `w${n}`);
    });
    await Promise.all(operators);
    world.goesOn = false;
    await Promise.all(workers);
    await expect
      .poll(
        async () => {
          await work(stores[4]!, world, 'last');
          return ledgerOf().row('select count(*)::int as n from work');
        },
        { timeout: 60_000, interval: 1 },
      )
      .toEqual({ n: 0 });
    expect(world.breaches, `seed ${seed}`).toEqual([]);
    expect(world.slowestCancelMs, `seed ${seed}`).toBeLessThan(1_000);
    expect(world.replays).toBeGreaterThan(10);
    expect(await ledgerOf().row(`select count(*)::int as n from audit where action = 'replay'`)).toEqual({
      n: world.replays,
    });
    // Sessions tell the server of their deadlocks at their end at the latest.
    for (const source of sources) await source.destroy();
    await expect
      .poll(() => ledgerOf().sql(`select 1 from pg_stat_activity where application_name = $1`, [NAME]))
      .toEqual([]);
    expect(await ledgerOf().row('select deadlocks from pg_stat_database where datname = current_database()')).toEqual({
      deadlocks: '0',
    });
  });
});
