/* oxlint-disable vitest/no-standalone-expect -- what all tests of this folder expect in the end */
import { expect } from 'vitest';
import { newExecution } from '../support/ledger.js';
import type { TestLedger } from '../support/ledger.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';

/** A schedule that pays all accounts each second, transfers that somebody asks for, and something that takes its time. */
export const FAULTY_JOBS = ['points', 'transfer', 'slow'] as const;
const ACCOUNTS = 30;

/** What an application does while its processes and its database are harmed, and what must be right afterwards. */
export class FaultyWorld {
  private asked = 0;

  constructor(private readonly ledger: TestLedger) {}

  async create(): Promise<void> {
    await createBusinessTables(this.ledger);
  }

  async reset(): Promise<void> {
    this.asked = 0;
    await resetBusinessTables(this.ledger, ACCOUNTS);
  }

  /** Asks for transfers, each of which has a key of its own, and for something slow. */
  async askFor({ transfers }: { readonly transfers: number }): Promise<void> {
    const shared = { leaseMs: 1_000, maxAttempts: 50 };
    const executions = Array.from({ length: transfers }, () =>
      newExecution({ ...shared, jobName: 'transfer', key: `transfer:${this.asked++}` }),
    );
    const slow = newExecution({ ...shared, jobName: 'slow' });
    await this.ledger.stores.executions.insert([slow, ...executions], { tx: null, now: null });
  }

  /** How many periods the ledger has. */
  async periods(): Promise<number> {
    const counted = `select count(*)::int as n from executions where job_name = 'points'`;
    return (await this.ledger.row<{ n: number }>(counted)).n;
  }

  /** Waits until nothing is left to do; schedulers must have stopped. */
  async settle(withinMs = 30_000): Promise<void> {
    await eventually(async () => (await this.open()) === 0, { withinMs, what: 'the end of all executions' });
  }

  private async open(): Promise<number> {
    return (await this.ledger.row<{ n: number }>('select count(*)::int as n from work')).n;
  }

  /**
   * Every effect is there exactly once. An execution that lost three workers in a row has failed, with its effects as far as
   * they were recorded.
   */
  async expectEachEffectOnce(): Promise<void> {
    const wrong = await this.ledger.sql(`
      select e.key, o.state, o.error_code, count(f.id)::int as effects
      from executions e
      join outcomes o on o.execution_id = e.id
      left join public.effects f on f.key = e.key
      where e.job_name = 'transfer'
      group by 1, 2, 3
      having count(f.id) <> case when o.state = 'succeeded' then 1 else 0 end
        or not (o.state = 'succeeded' or o.error_code is not distinct from 'JOBS_WORKER_LOST')`);
    expect(wrong).toEqual([]);
    const { transfers } = await this.ledger.row<{ transfers: number }>(
      `select count(*)::int as transfers from executions where job_name = 'transfer'`,
    );
    expect(transfers).toBe(this.asked);
    await this.expectEachAccountPaidOnce();
  }

  private async expectEachAccountPaidOnce(): Promise<void> {
    const { paid } = await this.ledger.row<{ paid: number }>(
      'select coalesce(sum(balance), 0)::int as paid from public.accounts',
    );
    const { recorded } = await this.ledger.row<{ recorded: number }>(
      `select coalesce(sum(processed), 0)::int as recorded from outcomes join executions e on e.id = execution_id
       where e.job_name = 'points'`,
    );
    expect(paid).toBe(10 * recorded);
    const unfinished = await this.ledger.sql(`
      select e.key, o.state, o.processed from executions e join outcomes o on o.execution_id = e.id
      where e.job_name = 'points' and o.state = 'succeeded' and o.processed <> ${ACCOUNTS}`);
    expect(unfinished).toEqual([]);
  }

  /** Each second between the first period and the last one has its execution. */
  async expectNoPeriodMissing(): Promise<void> {
    const { periods, seconds } = await this.ledger.row<{ periods: number; seconds: number }>(`
      select count(*)::int as periods,
        extract(epoch from max(scheduled_for) - min(scheduled_for))::int + 1 as seconds
      from executions where job_name = 'points'`);
    expect(periods).toBeGreaterThan(0);
    expect(periods).toBe(seconds);
  }
}
