import { afterEach, beforeAll, beforeEach } from 'vitest';
import { BareProcesses, type BareProcess, type BareProcessOptions } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, type TestLedger } from '../support/ledger.js';
import { FLAWLESS, periodAccount, periodCounts, timePasses, type PeriodAccount } from '../support/period-account.js';

/** Schedules of each second, one of which pays all accounts; transfers that somebody asks for; something that takes its time. */
const JOBS = ['points', 'uneasy', 'transfer', 'slow'];
const ACCOUNTS = 30;

/** What is wrong when everything has ended. */
export interface FaultAccount {
  readonly periods: PeriodAccount;
  /** Stretches that were left out, although each period is caught up. */
  readonly leftOut: readonly object[];
  readonly hasPeriods: boolean;
  /** Asked for, but not on record. */
  readonly lostTransfers: number;
  /** Without its one effect; one that lost three workers in a row has failed, and must have none. */
  readonly wrongTransfers: readonly object[];
  /** Points on accounts that no execution has recorded. */
  readonly unrecordedPoints: number;
  /** Successes that did not pay every account. */
  readonly unfinishedPoints: readonly object[];
}

export const NOTHING_WRONG: FaultAccount = {
  periods: FLAWLESS,
  leftOut: [],
  hasPeriods: true,
  lostTransfers: 0,
  wrongTransfers: [],
  unrecordedPoints: 0,
  unfinishedPoints: [],
};

/** What an application does while its processes and its database are harmed, and what must be right afterwards. */
export class FaultyWorld {
  readonly processes = new BareProcesses();
  private asked = 0;

  constructor(readonly ledger: () => TestLedger) {}

  /** Where the database itself is. */
  get url(): string {
    return this.ledger().url;
  }

  async reset(): Promise<void> {
    this.asked = 0;
    await resetBusinessTables(this.ledger(), ACCOUNTS);
  }

  /** A process that ticks and works; `options` say what is different about it. */
  start(options: Partial<BareProcessOptions> = {}): Promise<BareProcess> {
    const worker = { pollIntervalMs: 200, concurrency: 4 };
    return this.processes.start({ url: this.url, jobs: JOBS, scheduler: true, worker, ...options });
  }

  /** Asks for transfers, each of which has a key of its own, and for something slow. */
  async askFor({ transfers }: { readonly transfers: number }): Promise<void> {
    const shared = { leaseMs: 1_000, maxAttempts: 50 };
    const executions = Array.from({ length: transfers }, () =>
      newExecution({ ...shared, jobName: 'transfer', key: `transfer:${this.asked++}` }),
    );
    const slow = newExecution({ ...shared, jobName: 'slow' });
    await this.ledger().stores.executions.insert([slow, ...executions], { tx: null, now: null });
  }

  /** Goes on asking for transfers until something has come: what one process leaves another may take. */
  async askUntil<T>(coming: Promise<T>): Promise<T> {
    const hasCome = coming.then(
      () => true,
      () => true,
    );
    const halfASecond = () => timePasses(this.ledger(), 500).then(() => false);
    while (!(await Promise.race([hasCome, halfASecond()]))) await this.askFor({ transfers: 3 });
    return coming;
  }

  /** Asks for transfers, and waits until the next period is on record. */
  async passPeriod({ transfers }: { readonly transfers: number }): Promise<void> {
    const before = await this.periods();
    await this.askFor({ transfers });
    await eventually(async () => (await this.periods()) > before, { withinMs: 20_000, what: 'the next period' });
  }

  /** Lets a process that nothing harms finish what is left, and looks at everything then; schedulers must have stopped. */
  async finish(options: Partial<BareProcessOptions> = {}): Promise<FaultAccount> {
    const healthy = await this.start({ ...options, scheduler: false });
    const isSettled = async () => (await this.number('select count(*)::int as n from work')) === 0;
    await eventually(isSettled, { withinMs: 30_000, what: 'the end of all executions' });
    await healthy.stop();
    return this.account();
  }

  private async account(): Promise<FaultAccount> {
    const ledger = this.ledger();
    return {
      periods: await periodAccount(ledger),
      leftOut: await ledger.sql('select * from skipped_ranges'),
      hasPeriods: (await this.periods()) > 0,
      lostTransfers: this.asked - (await this.number(TRANSFERS)),
      wrongTransfers: await ledger.sql(WRONG_TRANSFERS),
      unrecordedPoints: await this.number(UNRECORDED_POINTS),
      unfinishedPoints: await ledger.sql(UNFINISHED_POINTS, [ACCOUNTS]),
    };
  }

  private async periods(): Promise<number> {
    return (await periodCounts(this.ledger()))['points'] ?? 0;
  }

  private async number(text: string): Promise<number> {
    return (await this.ledger().row<{ n: number }>(text)).n;
  }
}

/** One for all tests of a file. */
export function useFaultyWorld(): FaultyWorld {
  const ledger = useLedger();
  const world = new FaultyWorld(ledger);
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => world.reset());
  afterEach(() => world.processes.killAll());
  return world;
}

const TRANSFERS = `select count(*)::int as n from executions where job_name = 'transfer'`;

const WRONG_TRANSFERS = `
  select e.key, o.state, o.error_code, count(f.id)::int as effects
  from executions e
  join outcomes o on o.execution_id = e.id
  left join public.effects f on f.key = e.key
  where e.job_name = 'transfer'
  group by 1, 2, 3
  having count(f.id) <> case when o.state = 'succeeded' then 1 else 0 end
    or not (o.state = 'succeeded' or o.error_code is not distinct from 'JOBS_WORKER_LOST')`;

const UNRECORDED_POINTS = `
  select (
    (select coalesce(sum(balance), 0) from public.accounts)
    - 10 * (
      select coalesce(sum(o.processed), 0) from outcomes o join executions e on e.id = o.execution_id
      where e.job_name = 'points'))::int as n`;

const UNFINISHED_POINTS = `
  select e.key, o.state, o.processed
  from executions e
  join outcomes o on o.execution_id = e.id
  where e.job_name = 'points' and o.state = 'succeeded' and o.processed is distinct from $1::bigint`;
