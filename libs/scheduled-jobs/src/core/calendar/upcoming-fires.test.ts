import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule.js';
import type { ScheduleDefinition } from './schedule-definition.js';
import { upcomingFires } from './upcoming-fires.js';

const fires = (cron: string, after: string, definition: Partial<ScheduleDefinition> & { limit?: number } = {}) => {
  const { limit = 3, ...rest } = definition;
  const schedule = parseSchedule(cron, { timeZone: 'Europe/Berlin', ...rest });
  return upcomingFires(schedule, { after: new Date(after), limit });
};
const short = (...given: Parameters<typeof fires>) =>
  fires(...given).map(({ localTime, marks }) => [localTime, ...marks]);

describe('upcomingFires', () => {
  it('tells each fire in UTC, on the local clock, and by its period', () => {
    expect(fires('30 6 * * *', '2026-01-01T00:00Z', { limit: 1 })).toEqual([
      {
        scheduledFor: new Date('2026-01-01T05:30Z'),
        localTime: '2026-01-01T06:30+01:00',
        period: '2026-01-01',
        skip: null,
        marks: [],
      },
    ]);
    expect(short('15 30 6 * * *', '2026-01-01T00:00Z', { limit: 1 })).toEqual([['2026-01-01T06:30:15+01:00']]);
  });

  it('marks the first fire after a change of the clocks', () => {
    expect(short('0 6 * * *', '2026-03-28T00:00Z')).toEqual([
      ['2026-03-28T06:00+01:00'],
      ['2026-03-29T06:00+02:00', 'clocks-changed'],
      ['2026-03-30T06:00+02:00'],
    ]);
  });

  it('marks the very first one, too, by the fire before it', () => {
    expect(short('0 6 * * *', '2026-03-28T12:00Z', { limit: 1 })).toEqual([
      ['2026-03-29T06:00+02:00', 'clocks-changed'],
    ]);
  });

  it('marks a fire that a gap has moved, but not one that is named for the end of the gap', () => {
    const moved = [['2026-03-29T03:00+02:00', 'clocks-changed', 'moved-by-gap']];
    expect(short('30 2 * * *', '2026-03-28T12:00Z', { limit: 1 })).toEqual(moved);
    expect(short('0 3 * * *', '2026-03-28T12:00Z', { limit: 1 })).toEqual([
      ['2026-03-29T03:00+02:00', 'clocks-changed'],
    ]);
    expect(short('*/30 * * * *', '2026-03-29T00:31Z', { limit: 1 })).toEqual([
      ['2026-03-29T03:00+02:00', 'clocks-changed'],
    ]);
  });

  it('tells which time a gap leaves out', () => {
    const [leftOut] = fires('30 2 * * *', '2026-03-28T12:00Z', { dst: { gap: 'skip' }, limit: 1 });
    expect(leftOut).toMatchObject({ skip: 'dst-gap', period: '2026-03-29', marks: ['clocks-changed'] });
  });

  it('marks both passes of a fold', () => {
    expect(short('*/30 * * * *', '2026-10-24T23:30Z', { limit: 5 })).toEqual([
      ['2026-10-25T02:00+02:00', 'first-pass'],
      ['2026-10-25T02:30+02:00', 'first-pass'],
      ['2026-10-25T02:00+01:00', 'clocks-changed', 'second-pass'],
      ['2026-10-25T02:30+01:00', 'second-pass'],
      ['2026-10-25T03:00+01:00'],
    ]);
    expect(short('30 2 * * *', '2026-10-24T12:00Z', { dst: { fold: 'last' }, limit: 1 })).toEqual([
      ['2026-10-25T02:30+01:00', 'clocks-changed', 'second-pass'],
    ]);
  });

  it('passes on what the functions of a definition throw', () => {
    const exclude = () => {
      throw new Error('no holidays known');
    };
    expect(() => fires('0 6 * * *', '2026-01-01T00:00Z', { exclude })).toThrow('no holidays known');
  });
});
