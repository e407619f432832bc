import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../libs/scheduled-jobs/src/core/errors.js';
import type { AttemptRecord } from '../../libs/scheduled-jobs/src/core/execution/attempt-record.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { expectInvariants } from '../support/ledger-invariants.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, newExecution } from '../support/ledger.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';

const ledgerOf = useLedger();
const EXECUTIONS = process.env['SOAK'] === '1' ? 20_000 : 600;
const LEASE_MS = 1_000;
const WORKERS = 4;

/** A world that goes wrong in every way at once; time is bound and moves with each step. */
class World {
  private step = 0;
  ended = 0;
  readonly zombies: ClaimedExecution[] = [];

  constructor(readonly random: () => number) {}

  now(): Date {
    return after((this.step += 1) * 20);
  }

  /** What a worker reports of a run. */
  record(claimed: ClaimedExecution): AttemptRecord {
    const dice = this.random();
    const now = this.now();
    const times = { startedAt: now, finishedAt: now };
    if (dice < 0.6) return attemptRecord(claimed, { ...times, ...(dice < 0.3 ? { result: '{"ok":true}' } : {}) });
    if (dice < 0.7)
      return attemptRecord(claimed, { ...times, disposition: 'released', outcome: null, startedAt: null });
    if (dice < 0.8) return attemptRecord(claimed, { ...times, disposition: 'retry', outcome: 'interrupted' });
    if (claimed.attempt >= claimed.maxAttempts)
      return attemptRecord(claimed, { ...times, disposition: 'failed', outcome: 'failed' });
    return attemptRecord(claimed, { ...times, disposition: 'retry', outcome: 'failed', runAt: after(200, now) });
  }
}

const calmly = async <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  });

async function work(stores: Stores, world: World, workerId: string): Promise<void> {
  while (world.ended < EXECUTIONS) {
    await calmly(stores.work.promote(100, world.now()));
    await calmly(stores.work.admit(null));
    const claimed = await calmly(
      stores.work.claim({
        workerId,
        quotas: [{ queue: 'default', take: 20, start: 15 }],
        jobNames: ['job'],
        now: world.now(),
      }),
    );
    const kept = (claimed ?? []).filter((one) => world.random() > 0.1 || world.zombies.push(one) === 0);
    await calmly(
      stores.work.heartbeat(
        kept.map((one) => ({ ...one, startedAt: world.now() })),
        world.now(),
      ),
    );
    const late = world.random() < 0.3 ? world.zombies.splice(0, 5) : [];
    const records = [...kept, ...late].map((one) => world.record(one));
    const answers = await calmly(stores.work.finish(records, { workerId, now: world.now() }));
    const freed = (answers ?? []).flatMap(({ freedKey }) => freedKey ?? []);
    await calmly(stores.work.admit([...new Set(freed)]));
    await calmly(stores.work.rescue(50, world.now()));
  }
}

describe('the ledger under everything at once', () => {
  it('ends every execution once and keeps its invariants', { timeout: 600_000 }, async () => {
    const seed = testSeed();
    const world = new World(seededRandom(seed));
    await ledgerOf().jobs({ name: 'job', concurrency: 2 });
    const insertAll = async (stores: Stores) => {
      for (let n = 0; n < EXECUTIONS;) {
        const batch = Array.from({ length: 50 }, (_, i) =>
          newExecution({
            key: `job:${n + i}`,
            leaseMs: LEASE_MS,
            maxAttempts: 6,
            concurrencyKey: i % 3 === 0 ? `k${i % 7}` : null,
            runAt: i % 5 === 0 ? after(n * 10) : null,
          }),
        );
        if ((await calmly(stores.executions.insert(batch, { tx: null, now: world.now() }))) !== null) n += 50;
      }
    };
    const disturb = async () => {
      while (world.ended < EXECUTIONS) {
        await ledgerOf().sql(
          `select pg_terminate_backend(pid) from (
             select pid from pg_stat_activity where application_name = 'soak' and datname = current_database() and state <> 'idle'
             order by random() limit 1) victim where random() < 0.2`,
        );
        await ledgerOf().sql(
          `update work set cancel_requested_at = now() where execution_id = (
             select execution_id from work where phase = 'leased' and random() < 0.02 limit 1 for update skip locked)`,
        );
        world.ended = (await ledgerOf().row<{ n: number }>('select count(*)::int as n from outcomes')).n;
      }
    };
    const sources = await Promise.all(
      Array.from({ length: WORKERS + 1 }, () =>
        ledgerOf().connect({ poolSize: 3, applicationName: 'soak', logging: false }),
      ),
    );
    const [enqueuer, ...workers] = sources.map((source) => ledgerOf().storesOf(source));
    await Promise.all([insertAll(enqueuer!), disturb(), ...workers.map((stores, n) => work(stores, world, `w${n}`))]);
    await expectInvariants(ledgerOf());
    expect(await ledgerOf().row('select count(*)::int as n from work'), `seed ${seed}`).toEqual({ n: 0 });
    expect(await ledgerOf().row(`select count(*)::int as n from outcomes where state = 'succeeded'`)).not.toEqual({
      n: 0,
    });
  });
});
