import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { backgroundJob, everySecond, scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();
const register = (definitions: JobDefinition[], now: Date | null = T0) =>
  ledgerOf().stores.schedules.register(definitions, now);
const versions = () =>
  ledgerOf().sql('select version, valid_from, expression, time_zone, shape from schedule_versions order by version');

describe('register', () => {
  it('writes jobs, schedules with their first cursor, and their first version', async () => {
    await register([
      backgroundJob('mail', 7),
      scheduledJob({
        name: 'report',
        expression: '0 0 * * *',
        definition: { timeZone: 'Asia/Shanghai', period: 'day' },
        startAt: after(-86_400_000),
      }),
      scheduledJob({ name: 'now', startAt: null }),
    ]);
    expect(await ledgerOf().sql('select name, overlap, concurrency from jobs order by name')).toEqual([
      { name: 'mail', overlap: 'queue', concurrency: 7 },
      { name: 'now', overlap: 'queue', concurrency: 1 },
      { name: 'report', overlap: 'queue', concurrency: 1 },
    ]);
    expect(
      await ledgerOf().sql(
        'select schedule_name, job_name, version, cursor_at, next_at from schedules order by schedule_name',
      ),
    ).toEqual([
      { schedule_name: 'now', job_name: 'now', version: 1, cursor_at: T0, next_at: T0 },
      {
        schedule_name: 'report',
        job_name: 'report',
        version: 1,
        cursor_at: after(-86_400_000),
        next_at: after(-86_400_000),
      },
    ]);
    expect(
      await ledgerOf().sql(
        `select version, valid_from, expression, time_zone, shape from schedule_versions where schedule_name = 'report'`,
      ),
    ).toEqual([
      {
        version: 1,
        valid_from: after(-86_400_000),
        expression: '0 0 * * *',
        time_zone: 'Asia/Shanghai',
        shape: { period: 'day', periodOf: 'current', dst: { gap: 'next-valid', fold: 'first' }, disabled: false },
      },
    ]);
  });

  it('notes the release, the zone data of the process and that the first version is carried', async () => {
    await ledgerOf().stores.schedules.register([scheduledJob({}), scheduledJob({ name: 'other' })], T0, 41);
    expect(
      await ledgerOf().sql(
        `select release, renamed_to, zone_data, carried_at from schedules join schedule_versions using (schedule_name)`,
      ),
    ).toEqual(
      [1, 2].map(() => ({ release: '41', renamed_to: null, zone_data: process.versions['tz'], carried_at: T0 })),
    );
  });

  it('tells of schedules that are new, once', async () => {
    const definitions = [backgroundJob('mail'), scheduledJob({ name: 'report' })];
    expect(await register(definitions)).toEqual([{ jobName: 'report', change: 'added', version: 1 }]);
    expect(await register(definitions)).toEqual([]);
  });

  it('cuts a first cursor from the clock of the database to milliseconds', async () => {
    await register([scheduledJob({ startAt: null })], null);
    expect(
      await ledgerOf().row('select extract(microseconds from cursor_at)::bigint % 1000 as rest from schedules'),
    ).toEqual({ rest: '0' });
  });

  it('writes nothing when nothing changed, not even to the rows it would lock', async () => {
    const definitions = [backgroundJob('mail'), scheduledJob({ name: 'report' })];
    const rows = () =>
      ledgerOf().sql(
        `select 'jobs' as t, name, ctid::text, xmin::text, xmax::text from jobs
         union all select 'schedules', schedule_name, ctid::text, xmin::text, xmax::text from schedules order by 1, 2`,
      );
    await register(definitions);
    const before = await rows();
    await register(definitions, after(60_000));
    await register([]);
    expect(await rows()).toEqual(before);
    expect(await versions()).toHaveLength(1);
  });

  it('keeps the cursor of a schedule that exists, whatever startAt says', async () => {
    await register([scheduledJob({})]);
    await register([scheduledJob({ startAt: after(-999_000) })], after(1_000));
    expect(await ledgerOf().row('select cursor_at from schedules')).toEqual({ cursor_at: T0 });
  });

  it.each([
    ['expression', { expression: '0 * * * * *' }],
    ['zone', { definition: { timeZone: 'Europe/Rome' } }],
    ['period form', { definition: { period: 'day' } }],
    ['label', { definition: { periodOf: 'previous' } }],
    ['clock change policy', { definition: { dst: { gap: 'skip' } } }],
    ['disabled flag', { disabled: true }],
  ] as const)('adds a version that is valid from now when this changes: %s', async (_name, change) => {
    await register([scheduledJob({})]);
    await ledgerOf().stores.schedules.tick({ jobNames: ['job'], limit: 1, now: after(3_000) }, (due) => ({
      ...everySecond()(due),
      nextAt: null,
    }));
    await ledgerOf().sql(`update schedules set last_error = 'old', failures = 3, retry_at = $1`, [after(99_000)]);
    await register([scheduledJob(change)], after(5_000));
    expect(await versions()).toMatchObject([
      { version: 1, valid_from: T0 },
      { version: 2, valid_from: after(5_000) },
    ]);
    expect(
      await ledgerOf().row('select version, cursor_at, next_at, last_error, failures, retry_at from schedules'),
    ).toEqual({
      version: 2,
      cursor_at: after(3_000),
      next_at: after(3_000),
      last_error: null,
      failures: 0,
      retry_at: null,
    });
  });

  it.each([
    [
      'another spelling of the same zone',
      { definition: { timeZone: 'Asia/Calcutta' } },
      { definition: { timeZone: 'Asia/Kolkata' } },
    ],
    ['a period function for another', { definition: { period: () => 'x' } }, { definition: { period: () => 'y' } }],
    ['a default written out', {}, { definition: { period: 'auto', dst: { fold: 'first' } } }],
  ] as const)('adds none for %s', async (_name, before, now) => {
    await register([scheduledJob(before)]);
    await register([scheduledJob(now)], after(1_000));
    expect(await versions()).toHaveLength(1);
  });

  it('updates what changed of a job', async () => {
    await register([backgroundJob('mail', 1)]);
    await register([{ ...backgroundJob('mail', 4), overlap: 'allow' }]);
    expect(await ledgerOf().sql('select overlap, concurrency from jobs')).toEqual([
      { overlap: 'allow', concurrency: 4 },
    ]);
  });

  it('keeps how long executions of a job are retained, in milliseconds by state', async () => {
    const retention = async () => (await ledgerOf().row<{ retention: object }>('select retention from jobs')).retention;
    const [day, month, quarter] = [86_400_000, 30 * 86_400_000, 90 * 86_400_000];
    const defaults = {
      succeeded: month,
      skipped: month,
      canceled: month,
      failed: quarter,
      completed_with_errors: quarter,
    };
    const job = backgroundJob('mail');
    await register([job]);
    expect(await retention()).toEqual(defaults);
    await register([{ ...job, retentionMs: { ...job.retentionMs, succeeded: day } }]);
    expect(await retention()).toEqual({ ...defaults, succeeded: day });
  });

  it('gives one version of a change that many processes bring at once', async () => {
    const definitions = (expression: string) => ['a', 'b', 'c'].map((name) => scheduledJob({ name, expression }));
    const shuffled = (expression: string, n: number) =>
      n % 2 === 0 ? definitions(expression) : definitions(expression).toReversed();
    await Promise.all(Array.from({ length: 8 }, (_, n) => register(shuffled('* * * * * *', n))));
    await Promise.all(Array.from({ length: 8 }, (_, n) => register(shuffled('0 * * * * *', n), after(1_000))));
    expect(
      await ledgerOf().sql('select schedule_name, version, expression from schedule_versions order by 1, 2'),
    ).toEqual(
      ['a', 'b', 'c'].flatMap((schedule_name) => [
        { schedule_name, version: 1, expression: '* * * * * *' },
        { schedule_name, version: 2, expression: '0 * * * * *' },
      ]),
    );
  });
});
