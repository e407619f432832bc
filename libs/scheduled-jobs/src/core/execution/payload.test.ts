import { describe, expect, it } from 'vitest';
import { encodePayload } from './payload.js';

const circular: Record<string, unknown> = {};
circular['self'] = circular;
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

describe('encodePayload', () => {
  it.each([
    ['undefined', undefined, null],
    ['null', null, null],
    ['a missing member', { a: undefined, b: 1 }, '{"b":1}'],
    ['a Date', { at: new Date('2026-08-14T00:00:00Z') }, '{"at":"2026-08-14T00:00:00.000Z"}'],
    ['negative zero', { n: -0 }, '{"n":0}'],
    ['one object in two places', [deep(1), deep(1)], '[{"a":1},{"a":1}]'],
    ['a surrogate pair', '😀', '"😀"'],
    ['a list hole', [undefined], '[null]'],
    ['31 levels', deep(31), JSON.stringify(deep(31))],
  ])('stores %s', (_, value, json) => {
    expect(encodePayload(value)).toEqual({ json, problems: [] });
  });

  it.each([
    ['U+0000', { a: 'x\u0000' }, 'payload.a contains U+0000'],
    ['U+0000 in a name', { 'x\u0000': 1 }, 'contains U+0000'],
    ['a lone surrogate', { a: ['\ud800'] }, 'payload.a[0] contains half of a surrogate pair'],
    ['BigInt', { n: 1n }, 'payload.n is a bigint'],
    ['a function', { f: () => 1 }, 'payload.f is a function'],
    ['a symbol', Symbol('s'), 'payload is a symbol'],
    ['NaN', { n: Number.NaN }, 'payload.n is NaN'],
    ['Infinity', { n: Number.NEGATIVE_INFINITY }, 'payload.n is -Infinity'],
    ['an invalid Date', { d: new Date(Number.NaN) }, 'payload.d is an invalid Date'],
    ['a circle', circular, 'payload.self refers to itself'],
    ['40 levels', deep(40), 'is nested deeper than 32 levels'],
    ['2 MB', 'x'.repeat(2_000_000), 'payload has 2000002 bytes as JSON, more than 1048576'],
    [
      'a throwing getter',
      {
        get a() {
          throw new Error('no');
        },
      },
      'payload cannot be read: no',
    ],
  ])('refuses %s', (_, value, problem) => {
    const { json, problems } = encodePayload(value);
    expect(json).toBeNull();
    expect(problems.join()).toContain(problem);
  });

  it('names every problem, up to twenty', () => {
    expect(encodePayload({ a: 1n, b: Number.NaN }).problems).toHaveLength(2);
    expect(encodePayload(Array.from({ length: 50 }, () => 1n)).problems).toHaveLength(20);
  });
});
