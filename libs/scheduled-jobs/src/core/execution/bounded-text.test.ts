import { describe, expect, it } from 'vitest';
import { byteLength, CUT_MARK, cutText, replaceUnstorable } from './bounded-text.js';

describe('cutText', () => {
  it('leaves a text that fits', () => {
    expect(cutText('äöü', 6)).toBe('äöü');
    expect(cutText('', 0)).toBe('');
  });

  it('cuts at a code point, the mark included in the limit', () => {
    for (let max = byteLength(CUT_MARK); max < 60; max++) {
      const cut = cutText('aä€😀'.repeat(20), max);
      expect(byteLength(cut)).toBeLessThanOrEqual(max);
      expect(cut.endsWith(CUT_MARK)).toBe(true);
      expect(cut).not.toMatch(/\p{Surrogate}|\uFFFD/u);
      expect('aä€😀'.repeat(20).startsWith(cut.slice(0, -CUT_MARK.length))).toBe(true);
    }
  });
});

describe('replaceUnstorable', () => {
  it('replaces U+0000 and lone surrogates, and keeps pairs', () => {
    expect(replaceUnstorable('a\0\uDC00\uD83D\uDE00\uD800')).toBe('a\uFFFD\uFFFD😀\uFFFD');
  });
});
