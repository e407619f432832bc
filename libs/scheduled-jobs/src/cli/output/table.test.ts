import { describe, expect, it } from 'vitest';
import { instantText, spanText, table } from './table.js';

describe('table', () => {
  it('aligns columns, keeps each row on one line and cuts what is long', () => {
    expect(
      table(
        ['JOB', 'COUNT'],
        [
          ['daily\nreport', '3'],
          ['x'.repeat(100), ''],
        ],
      ),
    ).toEqual([`${'JOB'.padEnd(60)}  COUNT`, `${'daily report'.padEnd(60)}  3`, `${'x'.repeat(59)}…`]);
  });

  it('is nothing without rows', () => {
    expect(table(['JOB'], [])).toEqual([]);
  });
});

it.each([
  [0, '0s'],
  [999, '0s'],
  [61_000, '1m 1s'],
  [3_600_000, '1h'],
  [90_061_000, '1d 1h'],
  [-5, '0s'],
])('shows %d ms as %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

it('shows instants in UTC to the second', () => {
  expect([instantText(new Date('2026-08-14T06:00:00.500Z')), instantText(null)]).toEqual(['2026-08-14T06:00:00Z', '-']);
});
