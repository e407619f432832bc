import { describe, expect, it } from 'vitest';
import type { TickReport } from '../../nest/run-tick.js';
import { tickJson, tickText } from './tick-report.js';

const report: TickReport = {
  now: new Date('2026-08-14T06:00:00.500Z'),
  schedules: 2,
  inserted: 3,
  skipped: 1,
  leftOut: 40,
  failures: [],
  nextAt: new Date('2026-08-14T07:00Z'),
  overduePeriods: 0,
  durationMs: 12,
};
const failed = { ...report, failures: [{ job: 'points', error: new TypeError('no period') }], overduePeriods: 7 };

describe('the report of a pass', () => {
  it('is one sentence after the other on one line', () => {
    expect(tickText(report)).toBe(
      'Ticked at 2026-08-14T06:00:00.500Z in 12 ms: 2 schedule(s) were due; 3 execution(s) added, 1 of them as skipped; 40 period(s) left out. The next period is due at 2026-08-14T07:00:00.000Z.',
    );
    expect(tickText({ ...failed, nextAt: null })).toMatch(
      /No period is due any more\. Standing still: points\. Overdue: 7 period\(s\)\.$/,
    );
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(tickJson(failed)))).toEqual({
      now: '2026-08-14T06:00:00.500Z',
      schedules: 2,
      inserted: 3,
      skipped: 1,
      leftOut: 40,
      failures: [{ job: 'points', error: 'TypeError: no period' }],
      nextAt: '2026-08-14T07:00:00.000Z',
      overduePeriods: 7,
      durationMs: 12,
    });
  });
});
