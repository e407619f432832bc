import { describe, expect, it } from 'vitest';
import { SchemaVersionError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { measureLedgerSql } from '../../libs/scheduled-jobs/src/postgres/statements/measure-ledger.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0, TestLedger } from '../support/ledger.js';

const ledgerOf = useLedger();
const measure = () => ledgerOf().stores.meter.measure(T0);
const counted = (count: number) => ({ count, capped: false });

describe('the measures of the ledger', () => {
  it('are zeros while it is empty', async () => {
    expect(await measure()).toEqual({
      deadLetters: counted(0),
      delayed: counted(0),
      waiting: counted(0),
      held: counted(0),
      instances: { total: 0, workers: 0, schedulers: 0 },
    });
  });

  it('count what waits by the reason why, and failures that nobody has acknowledged', async () => {
    const { work, operations } = ledgerOf().stores;
    await ledgerOf().insert(
      { key: 'job:a' },
      { key: 'job:b' },
      { scheduledFor: after(60_000) },
      { concurrencyKey: 'k' },
      { concurrencyKey: 'k' },
    );
    const claimed = await ledgerOf().claim({ take: 2 });
    const failed = { disposition: 'failed', outcome: 'failed', error: storedError() } as const;
    await work.finish(
      claimed.map((one) => attemptRecord(one, failed)),
      { workerId: 'w1', now: T0 },
    );
    await operations.acknowledge([claimed[0]!.executionId], { actor: 'ann', reason: null, now: T0 });
    expect(await measure()).toMatchObject({ deadLetters: counted(1), delayed: counted(1), waiting: counted(2) });
  });

  it('say so when there is more than is counted', async () => {
    await ledgerOf().insert(...Array.from({ length: 10_001 }, () => ({ scheduledFor: after(60_000) })));
    expect((await measure()).delayed).toEqual({ count: 10_000, capped: true });
  });

  it('count the processes that were seen within two minutes and have not stopped, by role', async () => {
    const { instances } = ledgerOf().stores;
    const seen = (instanceId: string, roles: readonly ('worker' | 'scheduler')[], ageMs: number) =>
      instances.seen(
        { instanceId, roles, workerId: null, version: '1', definitionsDigest: 'd', zoneData: null },
        after(-ageMs),
      );
    await seen('a', ['worker', 'scheduler'], 0);
    await seen('b', ['worker'], 119_000);
    await seen('c', [], 30_000);
    await seen('gone', ['worker'], 120_000);
    await seen('stopped', ['worker'], 0);
    await instances.stopped('stopped', after(0));
    expect((await measure()).instances).toEqual({ total: 3, workers: 2, schedulers: 1 });
  });

  it('read no table of the history as a whole', async () => {
    await ledgerOf().sql(
      `insert into outcomes (execution_id, state, finished_at) select n, 'succeeded', $1 from generate_series(1, 5000) n`,
      [T0],
    );
    await ledgerOf().sql('analyze outcomes');
    const plan = await ledgerOf().sql<{ 'QUERY PLAN': string }>(
      `explain ${measureLedgerSql(ledgerNames('scheduled_jobs'))}`,
      [T0, 10_001, 120_000],
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('outcomes_dead');
    expect(text).not.toMatch(/Seq Scan on (?:outcomes|executions)/);
    await ledgerOf().sql('truncate outcomes');
  });
});

it('The check passes on a schema that fits, and says what to do with one that does not', async () => {
  await expect(ledgerOf().stores.meter.check()).resolves.toBeUndefined();
  const bare = await TestLedger.create({ url: ledgerOf().url, schema: 'not_migrated', migrated: false });
  await expect(bare.stores.meter.check()).rejects.toThrow(SchemaVersionError);
  await bare.close();
});
