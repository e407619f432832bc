import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../calendar/schedule.js';
import type { ScheduleDefinition } from '../calendar/schedule-definition.js';
import { occurrenceOfPeriod } from './named-period.js';

const NOW = new Date('2026-08-20T12:00:00Z');

function at(cron: string, period: string, options: Partial<ScheduleDefinition> = {}): string | null {
  const definition = { timeZone: 'Europe/Berlin', ...options };
  const job = { definition, schedule: parseSchedule(cron, definition) };
  return occurrenceOfPeriod(job, period, NOW)?.scheduledFor.toISOString() ?? null;
}

describe('occurrenceOfPeriod', () => {
  it('finds the occurrence of a date', () => {
    expect(at('0 6 * * *', '2026-08-14')).toBe('2026-08-14T04:00:00.000Z');
    expect(at('0 0 * * *', '2026-08-14', { timeZone: 'Pacific/Kiritimati' })).toBe('2026-08-13T10:00:00.000Z');
    expect(at('59 23 * * *', '2026-08-14', { timeZone: 'Pacific/Pago_Pago' })).toBe('2026-08-15T10:59:00.000Z');
  });

  it('finds the occurrence of a wall clock with its offset', () => {
    expect(at('* * * * * *', '2026-08-14T06:00:07+02:00')).toBe('2026-08-14T04:00:07.000Z');
    expect(at('30 * * * *', '2025-10-26T02:30+01:00')).toBe('2025-10-26T01:30:00.000Z');
  });

  it('finds a time that a gap leaves out', () => {
    expect(at('30 1,2 * * *', '2026-03-29T02:30+01:00', { dst: { gap: 'skip' } })).toBe('2026-03-29T01:00:00.000Z');
  });

  it('finds weeks, months and years', () => {
    expect(at('0 6 * * *', '2026-W01', { period: 'week' })).toBe('2025-12-29T05:00:00.000Z');
    expect(at('0 6 * * *', '2026-W33', { period: 'week' })).toBe('2026-08-10T04:00:00.000Z');
    expect(at('0 6 * * *', '2026-02', { period: 'month' })).toBe('2026-02-01T05:00:00.000Z');
    expect(at('0 6 1 7 *', '2026', { period: 'year' })).toBe('2026-07-01T04:00:00.000Z');
  });

  it('finds periods that are labelled by the start of their interval', () => {
    expect(at('0 0 * * *', '2026-08-14', { periodOf: 'previous' })).toBe('2026-08-14T22:00:00.000Z');
    expect(at('0 0 1 * *', '2026-07', { period: 'month', periodOf: 'previous' })).toBe('2026-07-31T22:00:00.000Z');
    expect(at('0 * * * *', '2026-08-14T06:00+02:00', { periodOf: 'previous' })).toBe('2026-08-14T05:00:00.000Z');
  });

  it('finds labels of a function', () => {
    const period = (scheduledFor: Date): string => `Q${Math.floor(scheduledFor.getUTCMonth() / 3) + 1}`;
    expect(at('0 6 1 * *', 'Q4', { period })).toBe('2025-10-01T04:00:00.000Z');
  });

  it('finds nothing where the schedule has no such period', () => {
    expect(at('0 6 * * 1', '2026-08-14')).toBeNull();
    expect(at('0 6 * * *', '2026-08-14T06:00+02:00')).toBeNull();
    expect(at('0 6 * * *', 'yesterday')).toBeNull();
    expect(at('0 6 * * *', '2026-08-21')).toBeNull();
    expect(at('0 6 * * *', '2026-13-45')).toBeNull();
  });
});
