import { describe, expect, it } from 'vitest';
import { parseInstant } from './instant-text.js';

describe('parseInstant', () => {
  it.each([
    ['2026-08-14T04:00Z', '2026-08-14T04:00:00.000Z'],
    ['2026-08-14T04:00:00.5+02:00', '2026-08-14T02:00:00.500Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-08-14T25:00:00Z',
    '2026-08-14T04:00:00',
    '2026-08-14',
    '2026-08-14Z',
    '5Z',
    'Aug 14 2026 04:00Z',
  ])('takes %s for no instant, whatever JavaScript makes of it', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
