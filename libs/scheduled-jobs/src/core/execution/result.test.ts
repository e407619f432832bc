import { describe, expect, it } from 'vitest';
import { storeResult } from './result.js';

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('storeResult', () => {
  it('stores plain data as JSON and nothing as nothing', () => {
    expect(storeResult({ rows: 3, at: new Date(0) })).toEqual({
      json: '{"rows":3,"at":"1970-01-01T00:00:00.000Z"}',
      note: null,
    });
    expect(storeResult(undefined)).toEqual({ json: null, note: null });
    expect(storeResult(null)).toEqual({ json: null, note: null });
    expect(storeResult(0)).toEqual({ json: '0', note: null });
    expect(storeResult(String.raw`\u0000 as text, "]" and 😀`).note).toBeNull();
  });

  it.each([
    [
      'circular',
      (() => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      })(),
      /not plain data/,
    ],
    ['a bigint', { n: 1n }, /not plain data/],
    ['a function', () => 1, /a function is not plain data/],
    ['a symbol', Symbol('s'), /a symbol is not plain data/],
    [
      'a toJSON that throws null',
      {
        toJSON() {
          throw null;
        },
      },
      /not plain data/,
    ],
    ['too large', 'x'.repeat(262_143), /262145 bytes as JSON, more than 262144/],
    ['too deep', nested(33), /deeper than 32/],
    ['U+0000', { text: 'a\0' }, /U\+0000/],
    ['half a pair', ['\uD800'], /surrogate/],
  ])('leaves out a result that is %s, with a note', (_, value, note) => {
    expect(storeResult(value)).toEqual({ json: null, note: expect.stringMatching(note) });
  });

  it('stores a result at the limits', () => {
    expect(storeResult('x'.repeat(262_142)).note).toBeNull();
    expect(storeResult(nested(32)).note).toBeNull();
    expect(storeResult('[[[['.repeat(20)).note).toBeNull();
  });
});
