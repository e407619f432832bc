import { describe, expect, it } from 'vitest';
import { checkText, type CheckReport, type ReportedJob } from './check-report.js';

const job: ReportedJob = {
  name: 'report',
  place: 'Reports.write',
  disabled: false,
  overlap: 'queue',
  warnings: [],
  overlapRisk: null,
  schedule: {
    expression: '30 2 * * *',
    timeZone: 'Europe/Berlin',
    description: 'At 02:30, every day (Europe/Berlin)',
    shortestDistanceMs: 86_400_000,
    fires: [],
  },
};
const text = (jobs: readonly ReportedJob[], rest: Partial<CheckReport> = {}) =>
  checkText({ problems: [], notes: [], jobs, isDatabaseRead: false, ...rest });

describe('the report of a check', () => {
  it('lists each job with its fires, local and in UTC, and what the clocks do to them', () => {
    const fire = { period: 'any', skip: null, marks: [] } as const;
    const fires = [
      { ...fire, scheduledFor: new Date('2026-10-24T00:30Z'), localTime: '2026-10-24T02:30+02:00' },
      {
        ...fire,
        scheduledFor: new Date('2026-10-25T01:30Z'),
        localTime: '2026-10-25T02:30+01:00',
        marks: ['clocks-changed', 'second-pass'],
      },
      {
        ...fire,
        scheduledFor: new Date('2027-03-28T01:00Z'),
        localTime: '2027-03-28T03:00+02:00',
        skip: 'dst-gap',
        marks: ['clocks-changed'],
      },
    ] as const;
    expect(text([{ ...job, warnings: ['Twice a year.'], schedule: { ...job.schedule!, fires } }]))
      .toBe(`report  Reports.write
  30 2 * * *  At 02:30, every day (Europe/Berlin)
  warning: Twice a year.
  2026-10-24T02:30+02:00  2026-10-24T00:30:00Z
  2026-10-25T02:30+01:00  2026-10-25T01:30:00Z  the clocks have changed since the fire before; second pass of a repeated hour
  2027-03-28T03:00+02:00  2027-03-28T01:00:00Z  skipped: its own time does not exist; the clocks have changed since the fire before

1 job(s), 0 problem(s), 1 warning(s)`);
  });

  it('names background and disabled jobs, problems and notes', () => {
    const background = { ...job, name: 'export', place: 'Exports.make', schedule: null };
    const report = text([background, { ...job, disabled: true }], {
      problems: ['It is wrong.'],
      notes: ['By the way.'],
    });
    expect(report.split('\n')).toEqual([
      'export  Exports.make',
      '',
      'report  Reports.write  disabled',
      expect.any(String),
      '',
      'note: By the way.',
      'problem: It is wrong.',
      '2 job(s), 1 problem(s), 0 warning(s)',
    ]);
  });

  it('tells of overlaps when the ledger was read, and counts a risk as a warning', () => {
    const overlapRisk = { attempts: 200, p95Ms: 90_500, shortestDistanceMs: 60_000, isRisk: true };
    const risk =
      '95 % of the last 200 attempt(s) took at most 90.5 s, and the shortest distance between two fires is 60 s';
    const lines = (one: Partial<ReportedJob>) => text([{ ...job, ...one }], { isDatabaseRead: true }).split('\n');
    expect(lines({ overlapRisk })).toContain(`  warning: ${risk}: executions queue up (overlap "queue")`);
    expect(lines({ overlapRisk }).at(-1)).toBe('1 job(s), 0 problem(s), 1 warning(s)');
    expect(lines({ overlapRisk, overlap: 'allow' })).toContain(
      `  warning: ${risk}: executions run side by side (overlap "allow")`,
    );
    expect(lines({ overlapRisk: { ...overlapRisk, isRisk: false } })).toContain(`  no overlap: ${risk}`);
    expect(lines({})).toContain('  overlap not known: no attempt has ended yet');
    expect(text([job])).not.toContain('overlap');
  });

  it.each([
    [999, '999 ms'],
    [1_500, '1.5 s'],
    [119_999, '120 s'],
    [300_000, '5 min'],
    [86_400_000, '24 h'],
  ])('writes %d ms as %s', (p95Ms, written) => {
    const overlapRisk = { attempts: 1, p95Ms, shortestDistanceMs: 1, isRisk: true };
    expect(text([{ ...job, overlapRisk }])).toContain(`at most ${written},`);
  });
});
