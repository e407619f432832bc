import { describe, expect, it } from 'vitest';
import { InvalidQueryError } from '../../core/errors.js';
import { encodeCursor, filterDigest } from '../../postgres/ledger/cursor.js';
import { windowPage } from './window-cursor.js';

const NOW = new Date('2026-08-14T00:00:00Z');
const DIGEST = filterDigest(['grid', null, null]);
const pageAt = (...position: readonly string[]) =>
  windowPage({ cursor: encodeCursor(DIGEST, position) }, ['grid'], NOW);

describe('windowPage', () => {
  it('goes on in the window of the first page, however late the next one is asked for', () => {
    const { from, to, cursorAt } = windowPage({}, ['grid'], NOW);
    const later = new Date('2026-08-15T00:00:00Z');
    expect(windowPage({ cursor: cursorAt('daily') }, ['grid'], later)).toMatchObject({ from, to, after: 'daily' });
  });

  it.each([
    ['0000-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z', 'daily'],
    ['2026-02-30T00:00:00.000Z', '2026-03-30T00:00:00.000Z', 'daily'],
    ['2026-99-99T99:99:99.999Z', '2026-03-30T00:00:00.000Z', 'daily'],
    ['2026-01-01T00:00:00.000Z', '2026-03-30T00:00:00.000Z', 'da\0ily'],
    ['2026-01-01T00:00:00.000Z', '2026-03-30T00:00:00.000Z'],
    ['2026-03-30T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'daily'],
    ['0001-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z', 'daily'],
  ])('refuses a cursor that somebody made: %s, %s', (...position) => {
    expect(() => pageAt(...position)).toThrow(InvalidQueryError);
  });

  it('refuses the cursor of another list', () => {
    const cursor = encodeCursor(filterDigest(['periods', 'daily', null, null]), ['x', 'y', 'z']);
    expect(() => windowPage({ cursor }, ['grid'], NOW)).toThrow(InvalidQueryError);
  });
});
