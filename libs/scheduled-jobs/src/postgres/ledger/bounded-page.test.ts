import { describe, expect, it } from 'vitest';
import { boundedPage } from './bounded-page.js';

const page = (lengths: readonly number[], limit: number) => boundedPage(lengths, limit, (length) => 'x'.repeat(length));

describe('boundedPage', () => {
  it('shows as many as were asked for, and goes on behind the last one when there are more', () => {
    expect(page([1, 2, 3], 2)).toEqual({ items: ['x', 'xx'], last: 2 });
    expect(page([1, 2, 3], 3)).toEqual({ items: ['x', 'xx', 'xxx'], last: null });
    expect(page([], 3)).toEqual({ items: [], last: null });
  });

  it('ends early where it would become longer than a megabyte', () => {
    expect(page([400_000, 400_001, 400_002, 1], 200)).toMatchObject({ items: { length: 2 }, last: 400_001 });
  });

  it('shows one item however long it is', () => {
    expect(page([2_000_000, 1], 200)).toMatchObject({ items: { length: 1 }, last: 2_000_000 });
    expect(page([2_000_000], 200)).toMatchObject({ items: { length: 1 }, last: null });
  });
});
