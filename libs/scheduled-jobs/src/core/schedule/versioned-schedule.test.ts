import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../calendar/schedule.js';
import { VersionedSchedule } from './versioned-schedule.js';

const at = (time: string) => new Date(`2026-03-${time}:00Z`);
const text = (date: Date | null | undefined) => date?.toISOString().slice(8, 16);
const utc = (cron: string) => parseSchedule(cron, { timeZone: 'UTC' });

/** Every six hours until the 2nd at 09:00, then daily at 10:00 until the 4th at 10:00, then hourly. */
const schedule = new VersionedSchedule([
  { schedule: utc('0 */6 * * *'), after: null, until: at('02T09:00') },
  { schedule: utc('0 10 * * *'), after: at('02T09:00'), until: at('04T10:00') },
  { schedule: utc('0 * * * *'), after: at('04T10:00'), until: null },
]);

describe('VersionedSchedule', () => {
  it('gives each stretch by the version in force, the instant of a change by the older one', () => {
    const found = schedule.occurrences({ after: at('01T18:00'), until: at('04T12:00'), limit: 100 });
    expect(found.map(({ scheduledFor }) => text(scheduledFor))).toEqual([
      '02T00:00',
      '02T06:00',
      '02T10:00',
      '03T10:00',
      '04T10:00',
      '04T11:00',
      '04T12:00',
    ]);
  });

  it('lets consecutive intervals touch across a change', () => {
    const found = schedule.occurrences({ after: at('01T18:00'), until: at('04T12:00'), limit: 100 });
    for (const [index, { interval }] of found.entries()) {
      expect(text(interval.start)).toBe(text(found[index - 1]?.interval.end ?? at('01T18:00')));
    }
  });

  it('stops at the limit, also inside a later stretch, and goes on without an end', () => {
    const occurrences = (limit: number) => schedule.occurrences({ after: at('02T00:00'), limit });
    expect(occurrences(2).map(({ scheduledFor }) => text(scheduledFor))).toEqual(['02T06:00', '02T10:00']);
    expect(occurrences(50)).toHaveLength(50);
  });

  it('answers next, previous and count as the list of occurrences does', () => {
    const all = schedule.occurrences({ after: at('01T00:00'), until: at('05T00:00'), limit: 1_000 });
    const instants = all.map(({ scheduledFor }) => scheduledFor);
    for (let ms = at('01T01:00').getTime(); ms < at('04T20:00').getTime(); ms += 30 * 60_000) {
      const now = new Date(ms);
      expect(text(schedule.next(now))).toBe(text(instants.find((instant) => instant > now)));
      const before = instants.findLast((instant) => instant < now) ?? at('01T00:00');
      expect(text(schedule.previous(now))).toBe(text(before));
      expect(schedule.count({ after: at('01T00:00'), until: now })).toBe(instants.filter((i) => i <= now).length);
    }
  });

  it('has no occurrence behind its last stretch', () => {
    const ended = new VersionedSchedule([{ schedule: utc('0 10 * * *'), after: null, until: at('02T10:00') }]);
    expect(text(ended.next(at('02T09:00')))).toBe('02T10:00');
    expect(ended.next(at('02T10:00'))).toBeNull();
    expect(text(ended.previous(at('09T00:00')))).toBe('02T10:00');
  });
});
