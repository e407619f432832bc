import { describe, expect, it } from 'vitest';
import { checkJobs, type JobsToCheck } from './check-jobs.js';
import { overlapRisk, type AttemptDurations } from './overlap-risk.js';
import type { DeclaredJob } from './declared-job.js';

const scheduled = (cron: string, options: object, place = 'Jobs.run'): DeclaredJob => ({
  kind: 'scheduled',
  cron,
  options: { name: 'report', timeZone: 'UTC', ...options },
  place,
});

const check = (declared: readonly DeclaredJob[], rest: Partial<JobsToCheck> = {}) =>
  checkJobs({
    declared,
    defaults: { timeZone: null, overrides: {} },
    now: new Date('2026-08-01T00:00Z'),
    count: 2,
    ...rest,
  });
const warningsOf = (cron: string, options: object = {}) => check([scheduled(cron, options)]).jobs[0]?.warnings;

describe('checkJobs', () => {
  it('tells of each job what it is and when it fires, by name', () => {
    const declared = [
      scheduled('0 6 * * *', { name: 'report', timeZone: 'Asia/Shanghai' }, 'Reports.write'),
      { kind: 'background', cron: undefined, options: { name: 'export' }, place: 'Exports.make' } as const,
    ];
    expect(check(declared)).toEqual({
      problems: [],
      jobs: [
        { name: 'export', place: 'Exports.make', disabled: false, overlap: 'allow', schedule: null, warnings: [] },
        {
          name: 'report',
          place: 'Reports.write',
          disabled: false,
          overlap: 'queue',
          schedule: {
            expression: '0 6 * * *',
            timeZone: 'Asia/Shanghai',
            description: 'At 06:00, every day (Asia/Shanghai)',
            shortestDistanceMs: 86_400_000,
            fires: [
              expect.objectContaining({
                scheduledFor: new Date('2026-08-01T22:00Z'),
                localTime: '2026-08-02T06:00+08:00',
              }),
              expect.objectContaining({ scheduledFor: new Date('2026-08-02T22:00Z') }),
            ],
          },
          warnings: [],
        },
      ],
    });
  });

  it('finds all that keeps an application from starting, at once, and goes on with the other jobs', () => {
    const { problems, jobs } = check([
      scheduled('0 6 * * *', {}, 'One.run'),
      scheduled('0 7 * * *', { name: 'Report' }, 'Two.run'),
      scheduled('0 0 31 2 *', { name: 'never' }, 'Three.run'),
      scheduled('0 0 * * *', { name: 'nowhere', timeZone: 'Europe/Nowhere' }, 'Four.run'),
      scheduled('0 0 * * *', { name: 'zoneless', timeZone: undefined }, 'Five.run'),
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/^Three\.run \(@ScheduledJob "never"\): .*never fires: no day "31" exists in month "2"/),
      expect.stringMatching(/^Four\.run \(@ScheduledJob "nowhere"\): there is no time zone "Europe\/Nowhere"/),
      expect.stringMatching(/^Five\.run \(@ScheduledJob "zoneless"\): timeZone is required/),
      expect.stringMatching(/"report" is used by One\.run \("report"\) and Two\.run \("Report"\)/),
    ]);
    expect(jobs.map(({ name }) => name)).toEqual(['report', 'Report']);
  });

  it('finds a name that is used twice when nothing else is wrong', () => {
    const { problems } = check([scheduled('0 6 * * *', {}, 'One.run'), scheduled('0 7 * * *', {}, 'Two.run')]);
    expect(problems).toEqual([expect.stringContaining('One.run ("report") and Two.run ("report")')]);
  });

  it('takes the zone and the overrides of the module', () => {
    const defaults = { timeZone: 'Asia/Shanghai', overrides: { report: { cron: '30 7 * * *' }, typo: {} } };
    const { problems, jobs } = check([scheduled('0 6 * * *', { timeZone: undefined })], { defaults });
    expect(problems).toEqual(['jobs.typo: there is no job of this name']);
    expect(jobs[0]?.schedule).toMatchObject({ expression: '30 7 * * *', timeZone: 'Asia/Shanghai' });
  });

  it('warns of six fields that fire every second', () => {
    expect(warningsOf('* */5 * * * *')).toEqual([expect.stringContaining('fires every second of each minute')]);
    expect(warningsOf('0 */5 * * * *')).toEqual([]);
  });

  it('warns of named times in a gap and a fold, with their dates and what happens', () => {
    expect(warningsOf('30 2 * * *', { timeZone: 'Europe/Berlin' })).toEqual([
      '02:30 does not exist on 2027-03-28 in Europe/Berlin, where clocks go forward from 02:00 to 03:00: it runs at 03:00+02:00 (dst.gap "next-valid"). The same on 2028-03-26.',
      '02:30 comes twice on 2026-10-25 in Europe/Berlin, where clocks go back from 03:00 to 02:00: it runs once, at 02:30+02:00 (dst.fold "first"). The same on 2027-10-31.',
    ]);
    const dst = { gap: 'skip', fold: 'both' };
    expect(warningsOf('30 2 26-31 3,10 *', { timeZone: 'Europe/Berlin', dst })).toEqual([
      expect.stringContaining(
        'on 2027-03-28 in Europe/Berlin, where clocks go forward from 02:00 to 03:00: it is recorded as skipped (dst.gap "skip")',
      ),
      expect.stringContaining('it runs twice, at 02:30+02:00 and 02:30+01:00 (dst.fold "both").'),
    ]);
    expect(warningsOf('0,15,30,45 2 * * *', { timeZone: 'Europe/Berlin' })).toEqual([
      expect.stringMatching(/^02:00, 02:15, 02:30 and 1 more do not exist on .*: they run as one at 03:00\+02:00/),
      expect.stringMatching(
        /^02:00, 02:15, 02:30 and 1 more come twice on .*: each runs once, the first at 02:00\+02:00/,
      ),
    ]);
  });

  it('reports functions of a schedule that give nothing usable, or throw', () => {
    const { problems, jobs } = check([
      scheduled('0 6 * * *', { name: 'labels', period: () => 'not a label' }, 'One.run'),
      scheduled('0 6 * * *', {
        name: 'holidays',
        exclude: () => {
          throw new Error('no holidays known');
        },
      }),
    ]);
    expect(problems).toEqual([
      expect.stringMatching(
        /^One\.run \("labels"\): the fires of its schedule cannot be told: the period function gave/,
      ),
      'Jobs.run ("holidays"): the fires of its schedule cannot be told: no holidays known',
    ]);
    expect(jobs.map(({ schedule }) => schedule)).toEqual([null, null]);
  });

  it('lists fires from startAt on, and says which job is disabled', () => {
    const [job] = check([scheduled('0 6 * * *', { startAt: '2027-01-01T00:00:00Z', disabled: true })]).jobs;
    expect(job?.disabled).toBe(true);
    expect(job?.schedule?.fires[0]?.period).toBe('2027-01-01');
  });
});

describe('overlapRisk', () => {
  const risk = (cron: string, found?: AttemptDurations) =>
    check([scheduled(cron, {})]).jobs.map((job) => overlapRisk(job, found));
  const durations = { jobName: 'report', attempts: 200, p95Ms: 300_001 };

  it('is there when the 95th percentile is longer than the shortest distance between two fires', () => {
    expect(risk('0,5 6 * * *', durations)).toEqual([
      { attempts: 200, p95Ms: 300_001, shortestDistanceMs: 300_000, isRisk: true },
    ]);
    expect(risk('0,5 6 * * *', { ...durations, p95Ms: 300_000 })).toMatchObject([{ isRisk: false }]);
  });

  it('is not known without attempts', () => {
    expect(risk('0 6 * * *')).toEqual([null]);
  });
});
