import { describe, expect, it } from 'vitest';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord } from '../support/ledger.js';
import { useWorkers } from '../support/test-workers.js';

const many = (count: number) => Array.from({ length: count }, () => ({}));
const p95 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

const ledgerOf = useLedger();
const startWorker = useWorkers(ledgerOf);

/** Executions from their insert to their end; gives the milliseconds that their claim took. */
async function cycle(count: number): Promise<number> {
  const ledger = ledgerOf();
  await ledger.insert(...many(count));
  const startMs = performance.now();
  const claimed = await ledger.claim({ take: count });
  const claimMs = performance.now() - startMs;
  expect(claimed).toHaveLength(count);
  const records = claimed.map((execution) => attemptRecord(execution));
  await ledger.stores.work.finish(records, { workerId: 'w1', now: after(1_000) });
  return claimMs;
}

async function cycles(count: number, size: number): Promise<readonly number[]> {
  const claimsMs: number[] = [];
  for (let done = 0; done < count; done++) claimsMs.push(await cycle(size));
  return claimsMs;
}

describe('beside a transaction that keeps its snapshot', () => {
  // Only time tells, and other programs take some of it: a slope that is there is there each time.
  it('claims of 20,000 executions get less than five times slower', { retry: 2, timeout: 60_000 }, async () => {
    await cycles(20, 100);
    const holder = await ledgerOf().client();
    await holder.query('begin isolation level repeatable read');
    await holder.query('select count(*) from work');
    const claimsMs = await cycles(200, 100);
    expect(p95(claimsMs.slice(-40)) / p95(claimsMs.slice(0, 40))).toBeLessThan(5);
  });
});

describe('a heartbeat', () => {
  it('changes no indexed column: PostgreSQL updates the row in place', async () => {
    const ledger = ledgerOf();
    const dataSource = await ledger.connect({ poolSize: 1 });
    const { work } = ledger.storesOf(dataSource);
    const updates = async () => {
      await dataSource.query('select pg_stat_force_next_flush()');
      const [row] = await dataSource.query<{ all: number; inPlace: number }[]>(
        `select n_tup_upd::int as "all", n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = 'work'`,
      );
      return row!;
    };
    await ledger.insert(...many(500));
    const leases = (await ledger.claim()).map((claimed) => ({ ...claimed, startedAt: null }));
    let beats = 0;
    const ratioOfRound = async () => {
      const before = await updates();
      for (let beat = 0; beat < 20; beat++) await work.heartbeat(leases, after(++beats));
      const now = await updates();
      expect(now.all - before.all).toBe(500 * 20);
      return (now.inPlace - before.inPlace) / (now.all - before.all);
    };
    // While autovacuum analyzes another table, its snapshot keeps old rows and pages run full: that passes. An index stays.
    await eventually(async () => (await ratioOfRound()) > 0.9, { what: 'a round of updates in place' });
  });
});

describe('a worker', () => {
  it('holds no transaction while a handler runs', async () => {
    const held = gate();
    let isRunning = false;
    const worker = await startWorker({
      job: () => {
        isRunning = true;
        return held.passed;
      },
    });
    await worker.enqueue('job');
    await eventually(() => isRunning, { what: 'the start of the handler' });
    const look = () =>
      ledgerOf().row<{ now: string; lease: string }>('select now()::text as now, lease_until::text as lease from work');
    const { now, lease } = await look();
    await eventually(async () => (await look()).lease !== lease, { what: 'the renewal of its lease' });
    const open = await ledgerOf().sql(
      `select query from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and xact_start < $1`,
      [now],
    );
    held.open();
    expect(open).toEqual([]);
  });
});
