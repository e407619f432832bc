import { describe, expect, it } from 'vitest';
import { TimeZone, timeZoneProblem } from './time-zone.js';

const second = (iso: string): number => Date.parse(iso) / 1_000;

describe('timeZoneProblem', () => {
  it.each([
    'Europe/Berlin',
    'Asia/Shanghai',
    'America/Argentina/Buenos_Aires',
    'UTC',
    'GMT',
    'Etc/UTC',
    'Etc/GMT-8',
    'Etc/GMT+5',
    'EST5EDT',
    'CET',
    'Japan',
    'America/Port-au-Prince',
    'Asia/Calcutta',
  ])('takes %s', (name) => {
    expect(timeZoneProblem(name)).toBeNull();
  });

  it.each([
    ['+08:00', 'is an offset, which knows no daylight saving time'],
    ['-0330', 'is an offset'],
    ['UTC+8', 'is an offset'],
    ['utc-5', 'is an offset'],
    ['GMT+8', 'A fixed offset is written as "Etc/GMT-8"'],
    [' Europe/Berlin', 'contains a blank. Remove it'],
    ['Europe/Berlin ', 'contains a blank'],
    ['Europe / Berlin', 'contains a blank'],
    ['Europe/New York', 'contains a blank'],
    ['Europe/Berlin\n', 'contains a blank'],
    [
      'Europe/Berlni',
      'there is no time zone "Europe/Berlni" in this process\'s zone data. Use a name of the tz database',
    ],
    ['Berlin', 'there is no time zone "Berlin"'],
    ['local', 'there is no time zone'],
    ['Z', 'there is no time zone'],
    ['BST', 'there is no time zone "BST"'],
    ['PST', 'there is no time zone "PST"'],
    ['SystemV/PST8', 'there is no time zone'],
    ['Etc/Unknown', 'there is no time zone'],
    ['', 'a time zone is required'],
    [undefined, 'a time zone is required'],
    [null, 'a time zone is required'],
    [8, 'the time zone must be a string, got number'],
  ])('refuses %j', (name, message) => {
    expect(timeZoneProblem(name)).toContain(message);
  });
});

describe('TimeZone', () => {
  it('finds a gap with the wall times it leaves out', () => {
    const change = second('2026-03-08T07:00:00Z');
    const span = TimeZone.named('America/New_York').spanAt(change);
    expect(span).toMatchObject({ from: change, offset: -14_400 });
    expect(span.gap).toEqual({
      from: second('2026-03-08T02:00:00Z'),
      until: second('2026-03-08T03:00:00Z'),
      offsetBefore: -18_000,
    });
    expect(TimeZone.named('America/New_York').spanAt(change - 1)).toMatchObject({ until: change, offset: -18_000 });
  });

  it('finds a fold on both of its sides', () => {
    const zone = TimeZone.named('Europe/Berlin');
    const change = second('2026-10-25T01:00:00Z');
    expect(zone.spanAt(change - 1).repeatsFrom).toBe(second('2026-10-25T02:00:00Z'));
    expect(zone.spanAt(change).repeatedUntil).toBe(second('2026-10-25T03:00:00Z'));
  });

  it('finds changes of a day, of half an hour, of seconds, and two that are a week apart', () => {
    const changes = (name: string, from: string, until: string): string[] => {
      const zone = TimeZone.named(name);
      const found: string[] = [];
      for (let span = zone.spanAt(second(from)); span.until < second(until);) {
        const next = zone.spanAt(span.until);
        if (next.offset !== span.offset) found.push(`${new Date(next.from * 1_000).toISOString()} ${next.offset}`);
        span = next;
      }
      return found;
    };
    expect(changes('Pacific/Apia', '2011-12-01', '2012-01-31')).toEqual(['2011-12-30T10:00:00.000Z 50400']);
    expect(changes('Australia/Lord_Howe', '2023-09-01', '2023-12-31')).toEqual(['2023-09-30T15:30:00.000Z 39600']);
    expect(changes('Africa/Monrovia', '1971-06-01', '1972-12-31')).toEqual(['1972-01-07T00:44:30.000Z 0']);
    expect(changes('America/Boa_Vista', '2000-10-01', '2000-10-31')).toEqual([
      '2000-10-08T04:00:00.000Z -10800',
      '2000-10-15T03:00:00.000Z -14400',
    ]);
    expect(changes('Africa/Tunis', '1943-04-01', '1943-05-10')).toEqual([
      '1943-04-17T00:00:00.000Z 3600',
      '1943-04-25T01:00:00.000Z 7200',
    ]);
    expect(changes('Europe/Vienna', '1945-03-25', '1945-04-30')).toEqual([
      '1945-04-02T01:00:00.000Z 7200',
      '1945-04-12T01:00:00.000Z 3600',
    ]);
  });

  it('gives the first instant of a wall time: the first pass of a fold, the end of a gap', () => {
    const zone = TimeZone.named('Europe/Berlin');
    expect(zone.firstInstantOf(second('2026-10-25T02:30:00Z'))).toBe(second('2026-10-25T00:30:00Z'));
    expect(zone.firstInstantOf(second('2026-03-29T02:30:00Z'))).toBe(second('2026-03-29T01:00:00Z'));
    expect(TimeZone.named('Pacific/Apia').firstInstantOf(second('2011-12-30T12:00:00Z'))).toBe(
      second('2011-12-30T10:00:00Z'),
    );
  });

  it('keeps the name as written and knows spellings of one zone', () => {
    expect(TimeZone.named('asia/kolkata').name).toBe('asia/kolkata');
    expect(TimeZone.named('asia/kolkata').resolvedName).toBe(TimeZone.named('Asia/Calcutta').resolvedName);
    expect(TimeZone.named('Europe/Berlin')).toBe(TimeZone.named('Europe/Berlin'));
  });
});
