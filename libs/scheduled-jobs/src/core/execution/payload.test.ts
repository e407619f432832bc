import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { encodePayload } from './payload.js';

const circular: Record<string, unknown> = {};
circular['self'] = circular;
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

class Order {
  id = 7;
  get label(): string {
    return `#${this.id}`;
  }
}

class Money {
  readonly #amount = 5;
  get amount(): number {
    return this.#amount;
  }
}

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
    ['an instance with members', new Order(), '{"id":7}'],
    ['an instance without any', new (class Empty {})(), '{}'],
    ['an object without prototype', Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    [
      'what toJSON gives',
      { url: new URL('https://a.example/b'), own: { toJSON: () => [1] } },
      '{"url":"https://a.example/b","own":[1]}',
    ],
    ['a toJSON that gives nothing', { toJSON: () => undefined }, 'null'],
    ['bytes by their own toJSON', Buffer.from('a'), '{"type":"Buffer","data":[97]}'],
    ['a list with holes', Object.assign([], { 1: 'b' }), '[null,"b"]'],
    ['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['the limit to the byte', 'x'.repeat(1_048_574), `"${'x'.repeat(1_048_574)}"`],
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
    ['a Map', { m: new Map([['a', 1]]) }, 'payload.m is a Map, which JSON does not keep'],
    ['a Set', new Set([1]), 'payload is a Set, which JSON does not keep'],
    ['a RegExp', [/a/], 'payload[0] is a RegExp'],
    ['an Error', { e: new TypeError('x') }, 'payload.e is a Error'],
    ['a Promise', { p: Promise.resolve() }, 'payload.p is a Promise'],
    ['a Promise of a run', { p: new AsyncLocalStorage().run(1, () => Promise.resolve()) }, 'payload.p is a Promise'],
    ['raw bytes', new Uint8Array(2), 'payload is a Uint8Array'],
    ['headers', { h: new Headers() }, 'payload.h is a Headers'],
    ['an object for a number', { n: Object(Number.NaN) as object }, 'payload.n is a Number'],
    ['a symbol as a name', { [Symbol('s')]: 1 }, 'payload has members named by symbols'],
    ['a list with a name', Object.assign([1], { note: 'x' }), 'payload is a list with the member "note"'],
    [
      'an instance that hides its data',
      { price: new Money() },
      'payload.price has only members of its class such as "amount"',
    ],
    ['one byte too much', 'x'.repeat(1_048_575), 'payload has 1048577 bytes as JSON'],
    ['2 MB', 'x'.repeat(2_000_000), 'payload has 2000002 bytes as JSON, more than 1048576'],
    [
      'a throwing getter',
      {
        get a() {
          throw new Error('no');
        },
      },
      'payload.a cannot be read: no',
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

  it('names each problem with its place', () => {
    const { problems } = encodePayload({
      a: { b: [1n] },
      get c() {
        throw new Error('no token=abc here');
      },
      d: new Map(),
      'e\0': 1,
      f: '\ud800',
    });
    expect(problems).toEqual([
      'payload.a.b[0] is a bigint',
      'payload.c cannot be read: no token=[redacted] here',
      'payload.d is a Map, which JSON does not keep',
      'payload.e\0 contains U+0000, which PostgreSQL cannot store',
      'payload.f contains half of a surrogate pair',
    ]);
  });

  it('reads each member once, so that it stores what it has checked', () => {
    let reads = 0;
    const fickle = {
      get a() {
        return ++reads === 1 ? 'fine' : 1n;
      },
    };
    expect(encodePayload(fickle)).toEqual({ json: '{"a":"fine"}', problems: [] });
  });

  it('does not read what is far too large to its end', () => {
    const far = ['payload is far larger than 1048576 bytes as JSON'];
    const row = 'x'.repeat(1_000);
    const started = process.cpuUsage();
    for (const endless of [
      Array.from({ length: 1_000_000 }, () => row),
      Object.assign([], { length: 4_000_000_000 }),
    ]) {
      expect(encodePayload({ endless }).problems).toEqual(far);
    }
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });

  it('refuses objects that fight back', () => {
    const trap = (): never => {
      throw new Error('trap');
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const value of [
      revoked.proxy,
      new Proxy({}, { get: trap }),
      new Proxy({}, { ownKeys: trap }),
      { toJSON: trap },
    ]) {
      expect(encodePayload({ a: value }).problems).toEqual([expect.stringMatching(/^payload\.a cannot be read: /)]);
    }
  });
});
