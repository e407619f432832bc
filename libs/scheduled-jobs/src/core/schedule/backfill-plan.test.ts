import { describe, expect, it } from 'vitest';
import { scheduledJob } from '../../../../../test/support/engine.js';
import { InvalidRequestError } from '../errors.js';
import type { JobDefinition } from '../job/job-definition.js';
import type { ScheduledJobDefinition } from '../job/job-definition.js';
import type { ScheduleRecord } from '../ports/period-records.js';
import { planBackfill, type BackfillRange } from './backfill-plan.js';
import { storedShape } from './stored-definition.js';

const NOW = new Date('2026-11-01T00:00:00Z');
const silent = () => undefined;

/** The version that a job's own code makes, in force from an instant on. */
function versionOf(job: JobDefinition, validFrom: string, version = 1): ScheduleRecord['versions'][number] {
  const { expression, definition } = job.schedule!;
  const { timeZone } = definition;
  return {
    version,
    validFrom: new Date(validFrom),
    expression,
    timeZone,
    shape: storedShape(definition, job.disabled),
  };
}

function recordOf(...versions: ScheduleRecord['versions'][number][]): ScheduleRecord {
  const standing = { jobName: 'job', cursorAt: NOW, isSuspended: false, renamedTo: null, now: NOW };
  return { ...standing, versions, skippedRanges: [], earlierNames: [] };
}

function plan(
  job: JobDefinition,
  range: Omit<Partial<BackfillRange>, 'from' | 'to'> & { readonly from: string; readonly to: string },
  record: ScheduleRecord = recordOf(versionOf(job, '2026-01-01T00:00:00Z')),
) {
  const { from, to, order = 'oldest-first', actor = null } = range;
  const dates = { from: new Date(from), to: new Date(to), order, actor };
  return planBackfill(job as ScheduledJobDefinition, { record, range: dates }, silent);
}

const keysOf = (...args: Parameters<typeof plan>) => plan(...args).map(({ key }) => key);

describe('planBackfill', () => {
  const daily = scheduledJob('0 6 * * *', { timeZone: 'Europe/Berlin' });

  it('takes both ends in, to the millisecond', () => {
    const sixOClock = '2026-08-14T04:00:00.000Z';
    expect(keysOf(daily, { from: sixOClock, to: sixOClock })).toEqual(['job:2026-08-14']);
    expect(keysOf(daily, { from: '2026-08-14T04:00:00.001Z', to: '2026-08-15T03:59:59.999Z' })).toEqual([]);
  });

  it('gives the executions that ticks would have made, but later, behind the job and one at a time', () => {
    const job = scheduledJob('0 6 * * *', {
      timeZone: 'Europe/Berlin',
      queue: 'reports',
      priority: 5,
      retry: { maxAttempts: 2, deadline: '2h' },
      lease: '10s',
    });
    expect(plan(job, { from: '2026-08-14T00:00:00Z', to: '2026-08-14T12:00:00Z', actor: 'anna' })).toEqual([
      {
        jobName: 'job',
        key: 'job:2026-08-14',
        period: '2026-08-14',
        interval: { start: new Date('2026-08-13T04:00:00Z'), end: new Date('2026-08-14T04:00:00Z') },
        scheduledFor: new Date('2026-08-14T04:00:00Z'),
        runAt: NOW,
        queue: 'reports',
        priority: 105,
        payload: null,
        concurrencyKey: 'job:job',
        maxAttempts: 2,
        leaseMs: 10_000,
        deadlineMs: 7_200_000,
        trigger: 'backfill',
        actor: 'anna',
        traceParent: null,
        skip: null,
      },
    ]);
  });

  it('gives the newest first when asked, and each its time after those before it', () => {
    const range = { from: '2026-08-10T00:00:00Z', to: '2026-08-12T12:00:00Z' } as const;
    const newest = plan(daily, { ...range, order: 'newest-first' });
    expect(newest.map(({ key }) => key)).toEqual(['job:2026-08-12', 'job:2026-08-11', 'job:2026-08-10']);
    expect(newest.map(({ deadlineMs }) => deadlineMs / 86_400_000)).toEqual([1, 2, 3]);
    expect(keysOf(daily, range)).toEqual(['job:2026-08-10', 'job:2026-08-11', 'job:2026-08-12']);
  });

  it('asks for no deadline that the ledger could not take', () => {
    const patient = scheduledJob('0 6 * * *', { retry: { deadline: '36500d' } });
    const all = plan(patient, { from: '2026-08-10T00:00:00Z', to: '2026-08-12T12:00:00Z' });
    expect(all.map(({ deadlineMs }) => deadlineMs / 86_400_000)).toEqual([36_500, 36_500, 36_500]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ overlap: 'allow' }, 'job:job'],
    [{ aliases: ['first', 'second'] }, 'job:first'],
    [{ concurrencyKey: () => 'tenant-7' }, 'key:tenant-7'],
    [{ overlap: 'allow', concurrencyKey: () => 7 }, 'job:job'],
  ])('lets them wait for one another: %o', (options, group) => {
    const [execution] = plan(scheduledJob('0 6 * * *', options), {
      from: '2026-08-14T06:00:00Z',
      to: '2026-08-14T06:00:00Z',
    });
    expect(execution?.concurrencyKey).toBe(group);
  });

  it.each([
    [950, 1_000],
    [1_000, 1_000],
    [-1_000, -900],
  ])('puts a priority of %i behind, at %i', (priority, expected) => {
    const [execution] = plan(scheduledJob('0 6 * * *', { priority }), {
      from: '2026-08-14T06:00:00Z',
      to: '2026-08-14T06:00:00Z',
    });
    expect(execution?.priority).toBe(expected);
  });

  it('has one period per date in a night whose hour comes twice, and every quarter of both passes', () => {
    const night = { from: '2026-10-24T20:00:00Z', to: '2026-10-25T20:00:00Z' } as const;
    expect(keysOf(scheduledJob('30 2 * * *', { timeZone: 'Europe/Berlin' }), night)).toEqual(['job:2026-10-25']);
    expect(keysOf(scheduledJob('*/15 2 * * *', { timeZone: 'Europe/Berlin' }), night)).toEqual([
      'job:2026-10-25T02:00+02:00',
      'job:2026-10-25T02:15+02:00',
      'job:2026-10-25T02:30+02:00',
      'job:2026-10-25T02:45+02:00',
      'job:2026-10-25T02:00+01:00',
      'job:2026-10-25T02:15+01:00',
      'job:2026-10-25T02:30+01:00',
      'job:2026-10-25T02:45+01:00',
    ]);
  });

  it('marks what is excluded and what a gap leaves out', () => {
    const job = scheduledJob('30 2 * * *', {
      timeZone: 'Europe/Berlin',
      dst: { gap: 'skip' },
      exclude: ({ period }: { period: string }) => period === '2026-03-28',
    });
    const marked = plan(job, { from: '2026-03-28T00:00:00Z', to: '2026-03-30T12:00:00Z' });
    expect(marked.map(({ key, skip }) => [key, skip])).toEqual([
      ['job:2026-03-28', 'excluded'],
      ['job:2026-03-29', 'dst-gap'],
      ['job:2026-03-30', null],
    ]);
  });

  it('follows the version in force at the time; before the first one its own rules hold', () => {
    const changed = scheduledJob('0 12 * * *');
    const record = recordOf(
      versionOf(scheduledJob('0 6 * * *'), '2026-08-02T00:00:00Z'),
      versionOf(changed, '2026-08-03T06:00:00Z', 2),
    );
    const planned = plan(changed, { from: '2026-08-01T00:00:00Z', to: '2026-08-04T23:00:00Z' }, record);
    expect(planned.map(({ scheduledFor }) => scheduledFor?.toISOString().slice(0, 13))).toEqual([
      '2026-08-01T06',
      '2026-08-02T06',
      '2026-08-03T06', // the very instant of the change is still the older one's
      '2026-08-04T12',
    ]);
  });

  it('means the first of several occurrences with one label, in either order', () => {
    const changed = scheduledJob('0 12 * * *');
    const record = recordOf(
      versionOf(scheduledJob('0 6 * * *'), '2026-08-01T00:00:00Z'),
      versionOf(changed, '2026-08-03T06:30:00Z', 2),
    );
    const range = { from: '2026-08-03T00:00:00Z', to: '2026-08-04T00:00:00Z' } as const;
    for (const order of ['oldest-first', 'newest-first'] as const) {
      const planned = plan(changed, { ...range, order }, record);
      expect(planned.map(({ key, scheduledFor }) => [key, scheduledFor])).toEqual([
        ['job:2026-08-03', new Date('2026-08-03T06:00:00Z')],
      ]);
    }
  });

  it('refuses more than 100,000 periods with their number, and takes as many', () => {
    const secondly = scheduledJob('* * * * * *');
    const from = '2026-08-01T00:00:01Z';
    const last = (periods: number) => new Date(Date.parse(from) + (periods - 1) * 1_000).toISOString();
    expect(plan(secondly, { from, to: last(100_000) })).toHaveLength(100_000);
    const tooMany = () => plan(secondly, { from, to: last(100_001) });
    expect(tooMany).toThrow(InvalidRequestError);
    expect(tooMany).toThrow('100001 periods');
  });

  it.each([
    ['period', { period: (at: Date) => `p${at.getTime()}` }],
    ['exclude', { exclude: () => false }],
  ])('refuses versions that need a function which the code does not have: %s', (_name, options) => {
    const record = recordOf(
      versionOf(scheduledJob('0 6 * * *', options), '2026-08-01T00:00:00Z'),
      versionOf(daily, '2026-08-02T00:00:00Z', 2),
    );
    const range = { from: '2026-08-02T00:00:00Z', to: '2026-08-04T00:00:00Z' };
    expect(() => plan(daily, range, record)).toThrow(/version\(s\) 1 .*function/);
    expect(plan(scheduledJob('0 6 * * *', options), range, record)).not.toHaveLength(0);
  });

  it('passes on what the functions of the job throw', () => {
    const job = scheduledJob('0 6 * * *', {
      exclude: () => {
        throw new Error('no calendar');
      },
    });
    expect(() => plan(job, { from: '2026-08-14T00:00:00Z', to: '2026-08-15T00:00:00Z' })).toThrow('no calendar');
  });
});
