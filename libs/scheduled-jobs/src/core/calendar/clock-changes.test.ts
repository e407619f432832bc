import { describe, expect, it } from 'vitest';
import { clockChanges } from './clock-changes.js';
import { TimeZone } from './time-zone.js';

const seconds = (text: string): number => Date.parse(text) / 1_000;

const changesOf = (zone: string, after: string, before: string) =>
  clockChanges(TimeZone.named(zone), { after: seconds(after), before: seconds(before) }).map(
    ({ at, offsetBefore, offsetAfter }) => [new Date(at * 1_000).toISOString(), offsetBefore, offsetAfter],
  );

describe('clockChanges', () => {
  it('lists both directions in order, each once', () => {
    expect(changesOf('Europe/Berlin', '2026-01-01T00:00Z', '2027-12-31T00:00Z')).toEqual([
      ['2026-03-29T01:00:00.000Z', 3_600, 7_200],
      ['2026-10-25T01:00:00.000Z', 7_200, 3_600],
      ['2027-03-28T01:00:00.000Z', 3_600, 7_200],
      ['2027-10-31T01:00:00.000Z', 7_200, 3_600],
    ]);
  });

  it('leaves out a change at either end', () => {
    expect(changesOf('Europe/Berlin', '2026-03-29T01:00Z', '2026-10-25T01:00Z')).toEqual([]);
  });

  it('knows changes of half an hour, and zones without any', () => {
    expect(changesOf('Australia/Lord_Howe', '2026-08-01T00:00Z', '2027-01-01T00:00Z')).toEqual([
      ['2026-10-03T15:30:00.000Z', 37_800, 39_600],
    ]);
    expect(changesOf('Asia/Shanghai', '2026-01-01T00:00Z', '2030-01-01T00:00Z')).toEqual([]);
  });
});
