import { describe, expect, it } from 'vitest';
import { SchemaVersionError, StoreUnavailableError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { readAttemptDurations } from '../../libs/scheduled-jobs/src/postgres/attempt-durations.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { findAttemptDurationsSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-attempt-durations.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const read = (...jobNames: string[]) =>
  readAttemptDurations({ url: ledgerOf().url, schema: ledgerOf().schema }, jobNames);

/** Executions of a job, one a minute, each with one attempt of so many milliseconds. */
async function attempts(jobName: string, durationsMs: readonly number[]): Promise<void> {
  await ledgerOf().jobs({ name: jobName });
  await ledgerOf().insert(...durationsMs.map((_, n) => ({ jobName, scheduledFor: after(n * 60_000), runAt: T0 })));
  const claimed = await ledgerOf().claim({ take: durationsMs.length });
  const inOrder = claimed.toSorted((a, b) => a.scheduledFor.getTime() - b.scheduledFor.getTime());
  const records = inOrder.map((one, n) => attemptRecord(one, { finishedAt: after(durationsMs[n]!) }));
  await ledgerOf().stores.work.finish(records, { workerId: 'w1', now: T0 });
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('durations of attempts', () => {
  it('are told for each job that has any, at the 95th of 100', async () => {
    await attempts('report', upTo(100));
    await attempts('points', [1_500]);
    await ledgerOf().insert({ jobName: 'waiting' });
    expect((await read('report', 'points', 'waiting', 'unknown')).toSorted((a, b) => a.p95Ms - b.p95Ms)).toEqual([
      { jobName: 'report', attempts: 100, p95Ms: 95 },
      { jobName: 'points', attempts: 1, p95Ms: 1_500 },
    ]);
  });

  it('are those of the newest 200 attempts', async () => {
    await attempts('report', [...Array.from({ length: 50 }, () => 60_000), ...upTo(200)]);
    expect(await read('report')).toEqual([{ jobName: 'report', attempts: 200, p95Ms: 190 }]);
  });

  it.each([
    ['failed', 1],
    ['timed_out', 1],
    ['lost', 0],
    ['interrupted', 0],
    ['deferred', 0],
    ['canceled', 0],
  ])('count an attempt that %s: %d', async (outcome, counted) => {
    await attempts('report', [1_000]);
    await ledgerOf().sql('update attempts set outcome = $1', [outcome]);
    expect(await read('report')).toHaveLength(counted);
    await ledgerOf().sql(`update attempts set outcome = 'succeeded'`);
  });

  it('are not to be had from another database', async () => {
    const url = new URL(ledgerOf().url);
    const elsewhere = readAttemptDurations({ url: url.href, schema: 'no_ledger' }, ['report']);
    await expect(elsewhere).rejects.toThrow(SchemaVersionError);
    url.port = '1';
    const nowhere = readAttemptDurations({ url: url.href, schema: 'scheduled_jobs' }, ['report']);
    await expect(nowhere).rejects.toThrow(StoreUnavailableError);
  });

  it('are read without a walk over all attempts', async () => {
    await attempts('report', upTo(100));
    const client = await ledgerOf().client();
    await client.query('set enable_seqscan = off');
    const statement = `explain ${findAttemptDurationsSql(ledgerNames('scheduled_jobs'))}`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(statement, [['report'], 200]);
    const text = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('executions_browse');
    expect(text).toContain('attempts_pk');
  });
});
