import { describe, expect, it } from 'vitest';
import { OVERLAP_POLICIES } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { cancelWorkSql } from '../../libs/scheduled-jobs/src/postgres/statements/cancel-work.sql.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { expectInvariants } from '../support/ledger-invariants.js';
import { useLedger } from '../support/ledger-tests.js';
import { attemptRecord, newExecution, T0 } from '../support/ledger.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';

const ledgerOf = useLedger();
const EXECUTIONS = process.env['SOAK'] === '1' ? 3_000 : 900;
const BATCH = 30;
const KEYS = Array.from({ length: 6 }, (_, n) => `g${n}`);
const random = seededRandom(testSeed());
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const context = { workerId: 'w', now: T0 };

/** Everything that happens to executions which share keys, at once. */
class Crowd {
  isOver = false;

  constructor(private readonly stores: Stores) {}

  async insertAll(): Promise<void> {
    for (let n = 0; n < EXECUTIONS; n += BATCH) {
      const batch = Array.from({ length: BATCH }, () => {
        const jobName = one(OVERLAP_POLICIES);
        return newExecution({
          jobName,
          concurrencyKey: jobName === 'allow' ? null : one(KEYS),
          trigger: random() < 0.1 ? 'backfill' : 'enqueue',
        });
      });
      await this.stores.executions.insert(batch, { tx: null, now: T0 });
    }
  }

  async claimAndFinish(): Promise<void> {
    const { work } = this.stores;
    const quotas = [{ queue: 'default', take: 5, start: 5 }];
    while (!this.isOver) {
      const claimed = await work.claim({ ...context, quotas, jobNames: OVERLAP_POLICIES });
      const records = claimed.map((execution) =>
        random() < 0.2 && execution.attempt < 3
          ? attemptRecord(execution, { disposition: 'retry', outcome: 'failed', runAt: T0 })
          : attemptRecord(execution),
      );
      const answers = await work.finish(records, context);
      await work.admit([...new Set(answers.flatMap(({ freedKey }) => freedKey ?? []))], T0);
      await work.admit(null, T0);
      await work.bringBack(OVERLAP_POLICIES, 50);
    }
  }

  /** Pauses and resumes jobs, holds what they leave, and admits by keys meanwhile. */
  async pauseAndHold(): Promise<void> {
    const { suspensions, work } = this.stores;
    const request = { actor: null, reason: null, now: T0 };
    while (!this.isOver) {
      const job = one(OVERLAP_POLICIES);
      await suspensions.pause(job, request);
      await suspensions.holdIdle(100);
      await work.admit(KEYS, T0);
      await suspensions.resume(job, { ...request, catchUp: false });
    }
  }

  async cancel(): Promise<void> {
    const sql = cancelWorkSql(ledgerNames('scheduled_jobs'));
    while (!this.isOver) {
      const rows = await ledgerOf().sql<{ id: string }>(
        'select execution_id::text as id from work order by random() limit 2',
      );
      await ledgerOf().sql(sql, [rows.map(({ id }) => id), T0, true]);
    }
  }

  async watch(): Promise<unknown[]> {
    const breaches: unknown[] = [];
    while (!this.isOver) {
      breaches.push(
        ...(await ledgerOf().sql(
          `select concurrency_key, count(*)::int as slots from work where slot is not null group by 1 having count(*) > 2`,
        )),
      );
      const { open, all } = await ledgerOf().row<{ open: number; all: number }>(
        'select (select count(*)::int from work) as open, (select count(*)::int from executions) as all',
      );
      this.isOver = open === 0 && all === EXECUTIONS;
    }
    return breaches;
  }
}

describe('executions of all overlap policies that share keys', () => {
  it(
    'end once each, never more at a time than allowed, and nobody waits in a circle',
    { timeout: 600_000 },
    async () => {
      for (const overlap of OVERLAP_POLICIES) await ledgerOf().jobs({ name: overlap, overlap, concurrency: 2 });
      const sources = await Promise.all(
        [1, 2, 3].map(() => ledgerOf().connect({ poolSize: 4, applicationName: 'crowd' })),
      );
      const [inserter, ...others] = sources.map((source) => new Crowd(ledgerOf().storesOf(source)));
      const all = [inserter!, ...others];
      const over = inserter!.watch().finally(() => all.forEach((crowd) => (crowd.isOver = true)));
      const busy = [inserter!.insertAll(), inserter!.cancel(), inserter!.pauseAndHold()];
      const workers = others.flatMap((crowd) => [crowd.claimAndFinish(), crowd.claimAndFinish(), crowd.pauseAndHold()]);
      await Promise.all([...busy, ...workers]);
      expect(await over).toEqual([]);
      await expectInvariants(ledgerOf());
      const reasons = await ledgerOf().sql<{ line: string }>(
        `select distinct e.job_name || ' ' || o.reason as line
       from outcomes o join executions e on e.id = o.execution_id where o.state = 'skipped' order by 1`,
      );
      expect(reasons.map(({ line }) => line)).toEqual([
        'queue-latest superseded',
        'replace superseded',
        'skip overlap',
      ]);
      expect(
        await ledgerOf().sql(
          `select 1 from outcomes o join executions e on e.id = o.execution_id where o.state = 'skipped' and e.trigger = 'backfill'`,
        ),
      ).toEqual([]);
      // Sessions tell the server of their deadlocks at their end at the latest.
      for (const source of sources) await source.destroy();
      await expect
        .poll(() => ledgerOf().sql(`select 1 from pg_stat_activity where application_name = 'crowd'`))
        .toEqual([]);
      expect(await ledgerOf().row('select deadlocks from pg_stat_database where datname = current_database()')).toEqual(
        {
          deadlocks: '0',
        },
      );
    },
  );
});
