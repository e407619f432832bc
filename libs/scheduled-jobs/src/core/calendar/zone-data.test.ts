import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule.js';
import { zoneDataProblems, zoneDataWarning, type OffsetReader } from './zone-data.js';

/** As a process whose zone data is from before October 2022 reads it. */
const outdated: OffsetReader = (timeZone) => {
  const offsets: Readonly<Record<string, number>> = {
    'Europe/Volgograd': 3,
    'Asia/Amman': 2,
    'Asia/Damascus': 2,
    'America/Mexico_City': -5,
    'Asia/Tehran': 4.5,
    'Asia/Almaty': 6,
    'America/Asuncion': -4,
  };
  return timeZone in offsets ? (offsets[timeZone] ?? 0) * 3_600 : null;
};

describe('zone data', () => {
  it('of this process knows the rules that are in force', () => {
    expect(zoneDataProblems()).toEqual([]);
    expect(zoneDataWarning('2025c')).toBeNull();
  });

  it('of this process knows that Mexico has no summer time since October 2022', () => {
    const schedule = parseSchedule('0 9 * * *', { timeZone: 'America/Mexico_City' });
    const occurrences = schedule.occurrences({ after: new Date('2023-04-01T00:00:00Z'), limit: 3 });
    expect(occurrences.map(({ scheduledFor }) => scheduledFor.toISOString())).toEqual([
      '2023-04-01T15:00:00.000Z',
      '2023-04-02T15:00:00.000Z',
      '2023-04-03T15:00:00.000Z',
    ]);
  });

  it('that is out of date is named with its version and with everything that is wrong', () => {
    expect(zoneDataProblems(outdated)).toHaveLength(7);
    const warning = zoneDataWarning('2022a', outdated);
    expect(warning).toContain('The time zone data of this process (2022a) is out of date');
    expect(warning).toContain('America/Mexico_City is at -06:00 at 2023-04-02T15:00:00Z, not -05:00');
    expect(warning).toContain('Asia/Tehran is at +03:30 at 2023-06-01T12:00:00Z, not +04:30');
    expect(warning).toContain('America/Ciudad_Juarez is at -07:00 at 2023-01-01T12:00:00Z, but the zone is unknown');
    expect(zoneDataWarning(undefined, outdated)).toContain('of an unknown version');
  });
});
