import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { findKeyRecordsSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-key-records.sql.js';
import { tickAll } from '../support/backfills.js';
import { completenessOf, expectComplete } from '../support/completeness.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Registers the jobs at T0 and ticks until nothing is due any more. */
async function ticked(definitions: readonly JobDefinition[], now: Date): Promise<void> {
  await ledgerOf().stores.schedules.register(definitions, T0);
  await tickAll(ledgerOf(), definitions, now);
}

/** Removes an execution as if it had never been. */
async function forget(key: string): Promise<void> {
  const { id } = await ledgerOf().row<{ id: string }>('delete from executions where key = $1 returning id', [key]);
  await ledgerOf().sql('delete from work where execution_id = $1', [id]);
  await ledgerOf().sql('delete from keys where execution_id = $1', [id]);
}

describe('completeness', () => {
  const hourly = (options: object = {}) => scheduledJob('0 * * * *', { name: 'hourly', ...options });
  const at = (now: Date) => ({ now });

  it('accounts for each period: executed, remembered after retention, or in a skipped range', async () => {
    const job = hourly({ catchUp: { window: '5h' } });
    await ticked([job], after(10 * HOUR));
    await ledgerOf().sql(`delete from work where execution_id in (select id from executions where key = $1)`, [
      'hourly:2026-03-01T20:00+00:00',
    ]);
    await ledgerOf().sql('delete from executions where key = $1', ['hourly:2026-03-01T20:00+00:00']);
    expect(await completenessOf(ledgerOf(), [job], at(after(10 * HOUR)))).toEqual({
      missingPeriods: 0,
      overduePeriods: 0,
      unchecked: [],
      schedules: [
        {
          jobName: 'hourly',
          checkedFrom: T0,
          checkedTo: after(10 * HOUR),
          expected: 10,
          recorded: 4,
          pruned: 1,
          leftOut: 5,
          missing: 0,
          missingKeys: [],
          overdue: 0,
        },
      ],
    });
    await expectComplete(ledgerOf(), [job]);
  });

  it('names a period that has neither execution nor key', async () => {
    const job = hourly();
    await ticked([job], after(5 * HOUR));
    await forget('hourly:2026-03-01T15:00+00:00');
    const { missingPeriods, schedules } = await completenessOf(ledgerOf(), [job]);
    expect([missingPeriods, schedules[0]?.missingKeys]).toEqual([1, ['hourly:2026-03-01T15:00+00:00']]);
    await expect(expectComplete(ledgerOf(), [job])).rejects.toThrow('hourly:2026-03-01T15:00+00:00');
  });

  it('misses what was left out once its range is gone, and counts more keys than it names', async () => {
    const job = scheduledJob('* * * * *', { name: 'minutely', catchUp: { window: '10m' } });
    await ticked([job], after(3 * HOUR));
    await expectComplete(ledgerOf(), [job]);
    await ledgerOf().sql('delete from skipped_ranges');
    const { missingPeriods, schedules } = await completenessOf(ledgerOf(), [job]);
    expect([missingPeriods, schedules[0]?.missingKeys.length]).toEqual([170, 100]);
    expect(schedules[0]?.missingKeys.at(0)).toBe('minutely:2026-03-01T12:01+00:00');
  });

  it('tells both ends of a range from the periods beside it', async () => {
    const job = hourly();
    await ticked([job], after(8 * HOUR));
    for (const hour of [14, 15, 16, 17]) await forget(`hourly:2026-03-01T${hour}:00+00:00`);
    await ledgerOf().sql(
      `insert into skipped_ranges (job_name, from_at, to_at, occurrences, reason, created_at)
       values ('hourly', $1, $2, 2, 'paused', $2)`,
      [after(3 * HOUR), after(4 * HOUR)],
    );
    const { schedules } = await completenessOf(ledgerOf(), [job]);
    expect(schedules[0]).toMatchObject({
      leftOut: 2,
      missingKeys: ['hourly:2026-03-01T14:00+00:00', 'hourly:2026-03-01T17:00+00:00'],
    });
  });

  it('looks at the newest periods only, when told so', async () => {
    const job = hourly();
    await ticked([job], after(5 * HOUR));
    await forget('hourly:2026-03-01T14:00+00:00');
    const { schedules } = await completenessOf(ledgerOf(), [job], { limit: 3 });
    expect(schedules[0]).toMatchObject({ checkedFrom: after(2 * HOUR), expected: 3, missing: 0 });
    const more = await completenessOf(ledgerOf(), [job], { limit: 4 });
    expect(more.schedules[0]).toMatchObject({ checkedFrom: after(1 * HOUR), expected: 4, missing: 1 });
  });

  it('walks more periods than one batch holds', async () => {
    const job = scheduledJob('*/2 * * * * *', { name: 'often', catchUp: { window: '1d', limit: 10_000 } });
    await ticked([job], after(HOUR + 30 * MINUTE));
    await forget('often:2026-03-01T13:11:06+00:00');
    const { schedules } = await completenessOf(ledgerOf(), [job]);
    expect(schedules[0]).toMatchObject({ expected: 2_700, missing: 1 });
  });

  it('counts periods behind the cursor as overdue once they are later than the grace', async () => {
    const job = hourly({ catchUp: { grace: '10m' } });
    await ticked([job], after(2 * HOUR));
    const overdue = async (now: Date) => (await completenessOf(ledgerOf(), [job], at(now))).overduePeriods;
    expect(await overdue(after(3 * HOUR + 9 * MINUTE))).toBe(0);
    expect(await overdue(after(3 * HOUR + 10 * MINUTE))).toBe(1);
    expect(await overdue(after(9 * HOUR))).toBe(6);
  });

  it.each(['paused', 'orphaned'])('has nothing overdue while the schedule is %s', async (kind) => {
    const job = hourly();
    await ticked([job], after(2 * HOUR));
    const overdue = async () => (await completenessOf(ledgerOf(), [job], at(after(9 * HOUR)))).overduePeriods;
    await ledgerOf().sql(`insert into suspensions (job_name, kind, from_at) values ('hourly', $1, $2)`, [
      kind,
      after(2 * HOUR),
    ]);
    expect(await overdue()).toBe(0);
    await ledgerOf().sql('update suspensions set to_at = $1', [after(8 * HOUR)]);
    expect(await overdue()).toBe(6);
  });

  it('has nothing to look at before the first cursor', async () => {
    const job = hourly({ startAt: after(24 * HOUR) });
    await ticked([job], after(HOUR));
    expect(await completenessOf(ledgerOf(), [job], at(after(HOUR)))).toMatchObject({
      missingPeriods: 0,
      overduePeriods: 0,
      schedules: [{ expected: 0, checkedFrom: after(24 * HOUR), checkedTo: after(24 * HOUR) }],
    });
  });

  it('follows the versions of a definition, each in its stretch', async () => {
    await ticked([hourly()], after(2 * HOUR));
    const changed = scheduledJob('*/30 * * * *', { name: 'hourly' });
    await ledgerOf().stores.schedules.register([changed], after(2 * HOUR + MINUTE));
    await ticked([changed], after(4 * HOUR));
    const { schedules } = await expectComplete(ledgerOf(), [changed]);
    expect(schedules[0]).toMatchObject({ expected: 6, recorded: 6 });
  });
});

describe('completeness of renamed schedules', () => {
  it('finds periods and ranges under earlier names and passes the old schedule over', async () => {
    const old = scheduledJob('0 * * * *', { name: 'old', catchUp: { window: '2h' } });
    await ticked([old], after(4 * HOUR));
    const renamed = scheduledJob('0 * * * *', { name: 'new', aliases: ['old'], catchUp: { window: '2h' } });
    await ledgerOf().stores.schedules.register([renamed], after(4 * HOUR + MINUTE));
    await tickAll(ledgerOf(), [renamed], after(6 * HOUR));
    for (const definitions of [[renamed], []]) {
      const { schedules } = await expectComplete(ledgerOf(), definitions);
      expect(schedules).toMatchObject([{ jobName: 'new', expected: 6, recorded: 4, leftOut: 2 }]);
    }
  });

  it('does not take the periods and ranges of a job that an earlier name was given to later for its own', async () => {
    const job = (name: string, options: object = {}) => scheduledJob('0 * * * *', { name, ...options });
    const { schedules } = ledgerOf().stores;
    await ticked([job('old')], after(2 * HOUR));
    await schedules.register([job('new', { aliases: ['old'] })], after(2 * HOUR + MINUTE));
    const both = [job('new'), job('old', { catchUp: { window: '2h' } })];
    await schedules.register(both, after(2 * HOUR + MINUTE));
    await tickAll(ledgerOf(), both, after(6 * HOUR));
    await forget('new:2026-03-01T15:00+00:00');
    await forget('new:2026-03-01T18:00+00:00');
    const { schedules: found } = await completenessOf(ledgerOf(), both);
    expect(found).toMatchObject([
      { jobName: 'new', recorded: 4, missing: 2 },
      { jobName: 'old', recorded: 2, leftOut: 2, missing: 0 },
    ]);
  });

  it('follows what was in force meanwhile where a rename was rolled back', async () => {
    const { schedules } = ledgerOf().stores;
    const old = [scheduledJob('0 * * * *', { name: 'old' })];
    const renamed = (expression: string) => [scheduledJob(expression, { name: 'new', aliases: ['old'] })];
    await ticked(old, after(2 * HOUR));
    for (const [expression, atHour] of [
      ['10 * * * *', 2],
      ['20 * * * *', 4],
    ] as const) {
      await schedules.register(renamed(expression), after(atHour * HOUR + MINUTE));
      await tickAll(ledgerOf(), renamed(expression), after((atHour + 2) * HOUR));
    }
    expect(await schedules.register(old, after(6 * HOUR + MINUTE), 1)).toMatchObject([{ change: 'renamed' }]);
    await tickAll(ledgerOf(), old, after(8 * HOUR));
    const { schedules: found } = await expectComplete(ledgerOf(), old);
    expect(found).toMatchObject([{ jobName: 'old', expected: 8, recorded: 8 }]);
  });
});

describe('completeness of schedules that the application does not carry', () => {
  it('counts them by their stored versions, an exclusion or not', async () => {
    const job = scheduledJob('0 * * * *', {
      name: 'foreign',
      exclude: ({ period }: { period: string }) => period.includes('T14'),
    });
    await ticked([job], after(3 * HOUR));
    const { schedules, overduePeriods } = await completenessOf(ledgerOf(), [], { now: after(4 * HOUR + MINUTE) });
    expect(schedules).toMatchObject([{ jobName: 'foreign', expected: 3, recorded: 3, missing: 0, overdue: 1 }]);
    expect(overduePeriods).toBe(1);
  });

  it('lists those whose periods a function names as not looked at', async () => {
    const job = scheduledJob('0 * * * *', { name: 'custom', period: (at: Date) => `p${at.getTime()}` });
    await ticked([job], after(3 * HOUR));
    expect(await completenessOf(ledgerOf(), [])).toMatchObject({
      schedules: [],
      unchecked: [{ jobName: 'custom', reason: expect.stringContaining('function') }],
    });
    await expect(expectComplete(ledgerOf(), [])).rejects.toThrow('custom');
    expect((await expectComplete(ledgerOf(), [job])).schedules).toMatchObject([{ recorded: 3 }]);
  });

  it('tells why when such a function throws, and goes on with the others', async () => {
    const named = scheduledJob('0 * * * *', { name: 'broken', period: (at: Date) => `p${at.getTime()}` });
    const other = scheduledJob('0 * * * *', { name: 'other' });
    await ticked([named, other], after(3 * HOUR));
    const throwing = scheduledJob('0 * * * *', {
      name: 'broken',
      period: () => {
        throw new Error('no calendar');
      },
    });
    expect(await completenessOf(ledgerOf(), [throwing, other])).toMatchObject({
      schedules: [{ jobName: 'other', recorded: 3 }],
      unchecked: [{ jobName: 'broken', reason: 'no calendar' }],
    });
  });
});

describe('the records of keys', () => {
  it('are given in the order asked, also for a key that is asked for twice', async () => {
    await ledgerOf().insert({ key: 'job:kept' }, { key: 'job:gone' });
    await ledgerOf().sql(`delete from work where execution_id = (select id from executions where key = 'job:gone')`);
    await ledgerOf().sql(`delete from executions where key = 'job:gone'`);
    const { periods } = ledgerOf().stores;
    expect(await periods.ofKeys(['job:gone', 'job:never', 'job:kept', 'job:gone'])).toEqual([
      'pruned',
      'absent',
      'recorded',
      'pruned',
    ]);
    expect(await periods.ofKeys([])).toEqual([]);
    expect(await periods.ofSchedule('never', null)).toBeNull();
  });

  it('are looked up one by one in the index, whatever statistics say', async () => {
    await ledgerOf().sql(
      `insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || n, 'job', $1, 'default', 0, 4, 'enqueue', $1 from generate_series(1, 20000) n`,
      [T0],
    );
    await ledgerOf().sql(`insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from executions`);
    const keys = Array.from({ length: 1_000 }, (_, n) => `job:${n}`);
    const statement = `explain ${findKeyRecordsSql(ledgerNames('scheduled_jobs'))}`;
    for (const prepare of ['select 1', 'analyze']) {
      await ledgerOf().sql(prepare);
      const lines = await ledgerOf().sql<{ 'QUERY PLAN': string }>(statement, [keys]);
      expect(lines.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan|Hash/);
    }
    await ledgerOf().sql('truncate executions, keys');
  });
});
