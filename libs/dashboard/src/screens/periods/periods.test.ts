import { describe, expect, it } from 'vitest';
import type { PeriodCell, PeriodState } from '../../api/answers.js';
import { cellsByDay, dayColumns } from './day-columns.js';
import { nextCell } from './next-cell.js';
import { areDays, cellText, stateCounts } from './period-text.js';
import { monthHeads, yearDays, yearWindow } from './year-layout.js';

const cell = (period: string, state: PeriodState = 'succeeded', changes: Partial<PeriodCell> = {}): PeriodCell => ({
  period,
  scheduledFor: '2026-08-14T00:00:00.000Z',
  state,
  reason: null,
  key: null,
  executionId: null,
  attempts: 0,
  durationMs: null,
  ...changes,
});

describe('cellText', () => {
  it.each([
    [cell('2026-08-14', 'succeeded', { attempts: 1, durationMs: 3_200 }), 'Succeeded · 3.2 s · for noon'],
    [cell('2026-08-14', 'failed', { attempts: 4, durationMs: 90_000 }), 'Failed · 4 attempts · 1 m 30 s · for noon'],
    [cell('2026-08-14', 'missing'), 'Missing: the schedule has passed it and nothing is recorded · for noon'],
    [cell('2026-08-14', 'overdue'), 'Overdue: no tick has recorded it yet · for noon'],
    [cell('2026-08-14', 'skipped', { reason: 'overlap' }), 'Skipped (overlap) · for noon'],
    [cell('2026-08-14', 'skipped-range', { reason: 'catch-up' }), 'Left out (catch-up): in a skipped range · for noon'],
    [cell('2026-08-14', 'not-due'), 'Not due yet · for noon'],
  ])('tells all that is known of a period (%#)', (given, text) => {
    expect(cellText(given, 'noon', 'report')).toBe(`report 2026-08-14 · ${text}`);
  });
});

describe('stateCounts', () => {
  it('begins with what asks for attention', () => {
    const states = ['succeeded', 'not-due', 'failed', 'missing', 'succeeded'] as const;
    expect(stateCounts(states.map((state) => cell('p', state)))).toEqual([
      ['missing', 1],
      ['failed', 1],
      ['succeeded', 2],
      ['not-due', 1],
    ]);
  });
});

describe('areDays', () => {
  it.each([
    [['2026-08-14', '2028-02-29'], true],
    [['2026-08-14', '2026-08-14T00:00+00:00'], false],
    [['2026-02-30'], false],
    [['2026-13-01'], false],
    [['2026-W33'], false],
    [[], false],
  ])('of %j is %s', (periods, expected) => {
    expect(areDays(periods.map((period) => cell(period)))).toBe(expected);
  });
});

describe('the grid of days', () => {
  const weekdays = ['2026-02-26', '2026-02-27', '2026-03-02'].map((date) => cell(date));
  const daily = ['2026-02-28', '2026-03-01'].map((date) => cell(date));

  it('has a column for each day, also across a change of clocks, and names months where they begin', () => {
    expect(dayColumns([daily, weekdays, []], 40)).toEqual([
      { date: '2026-02-26', day: '26', month: 'Feb' },
      { date: '2026-02-27', day: '27', month: null },
      { date: '2026-02-28', day: '28', month: null },
      { date: '2026-03-01', day: '1', month: 'Mar' },
      { date: '2026-03-02', day: '2', month: null },
    ]);
    expect(dayColumns([[cell('2026-03-28')], [cell('2026-03-30')]], 40)).toHaveLength(3);
    expect(dayColumns([[]], 40)).toEqual([]);
  });

  it('keeps the last columns when there are too many', () => {
    expect(dayColumns([[cell('0001-01-01'), cell('2026-03-02')]], 2).map(({ date }) => date)).toEqual([
      '2026-03-01',
      '2026-03-02',
    ]);
  });

  it('leaves a place empty where the schedule has no period', () => {
    const found = cellsByDay(weekdays, dayColumns([weekdays], 40));
    expect(found.map((each) => each?.period ?? null)).toEqual(['2026-02-26', '2026-02-27', null, null, '2026-03-02']);
  });
});

describe('the calendar of a year', () => {
  it.each([
    [2026, 365, { week: 0, weekday: 3 }, { week: 52, weekday: 3 }],
    [2028, 366, { week: 0, weekday: 5 }, { week: 52, weekday: 6 }],
    [2012, 366, { week: 0, weekday: 6 }, { week: 53, weekday: 0 }],
  ])('puts each day of %d into its week, which begins with a Monday', (year, count, first, last) => {
    const days = yearDays(year);
    expect(days).toHaveLength(count);
    expect(days[0]).toEqual({ date: `${year}-01-01`, ...first });
    expect(days.at(-1)).toEqual({ date: `${year}-12-31`, ...last });
    expect(new Set(days.map(({ week, weekday }) => `${week} ${weekday}`)).size).toBe(count);
  });

  it('names each month over the first week that begins in it', () => {
    expect(monthHeads(yearDays(2026)).slice(0, 3)).toEqual([
      { text: 'Jan', week: 0 },
      { text: 'Feb', week: 5 },
      { text: 'Mar', week: 9 },
    ]);
  });

  it('asks for a stretch that holds the year in every zone', () => {
    expect(yearWindow(2026)).toEqual({ from: '2025-12-31T00:00:00.000Z', to: '2027-01-02T00:00:00.000Z' });
  });
});

describe('nextCell', () => {
  const places = [
    { row: 0, column: 3 },
    { row: 0, column: 4 },
    { row: 2, column: 0 },
    { row: 2, column: 1 },
    { row: 2, column: 5 },
  ];

  it.each([
    [0, 'ArrowRight', 1],
    [1, 'ArrowRight', null],
    [2, 'ArrowLeft', null],
    [1, 'ArrowDown', 4],
    [0, 'ArrowDown', 3],
    [4, 'ArrowUp', 1],
    [0, 'ArrowUp', null],
    [3, 'End', 4],
    [3, 'Home', 2],
    [3, 'x', null],
    [-1, 'ArrowUp', null],
  ])('from %i by %s is %s', (from, key, to) => {
    expect(nextCell(places, from, key)).toBe(to);
  });
});
