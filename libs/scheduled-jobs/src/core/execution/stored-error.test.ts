import { describe, expect, it } from 'vitest';
import { storeError } from './stored-error.js';

class PaymentRefused extends Error {
  readonly code = 'E42';
}
const size = (text: string | null) => Buffer.byteLength(text ?? '');

const trap = (): never => {
  throw new Error('trap');
};
const fingerprintOf = (message: string, error: new (text: string) => Error = Error) =>
  storeError(new error(message)).fingerprint;
const fingerprintElsewhere = (message: string) => storeError(new Error(message)).fingerprint;

describe('storeError', () => {
  it('keeps class, code, message and stack of an error', () => {
    const stored = storeError(new PaymentRefused('no money'));
    expect(stored).toMatchObject({ errorClass: 'PaymentRefused', code: 'E42', message: 'no money' });
    expect(stored.stack).toMatch(/^PaymentRefused: no money\n\s+at .*stored-error\.test\.ts/);
    expect(stored.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    ['text', 'x', 'string', 'x'],
    ['empty text', '', 'string', '(empty string)'],
    ['null', null, 'null', 'null'],
    ['undefined', undefined, 'undefined', 'undefined'],
    ['zero', 0, 'number', '0'],
    ['false', false, 'boolean', 'false'],
    ['a bigint', 10n, 'bigint', '10'],
    ['a symbol', Symbol('s'), 'symbol', 'Symbol(s)'],
    ['a function', () => 1, 'function', '() => 1'],
    ['an object', { a: 1 }, 'Object', '{"a":1}'],
    ['a list', [], 'Array', '[]'],
    ['an object without prototype', Object.create(null), 'Object', '{}'],
    ['an error without text', new Error(), 'Error', '(no message)'],
    ['a frozen error', Object.freeze(new TypeError('cold')), 'TypeError', 'cold'],
    ['an object with a message', { message: 'like an error', code: 7 }, 'Object', 'like an error'],
  ])('stores %s', (_, thrown, errorClass, message) => {
    expect(storeError(thrown)).toMatchObject({ errorClass, message });
  });

  it('stores a rejected promise and takes its rejection away', async () => {
    const promise = Promise.reject(new Error('inner'));
    expect(storeError(promise)).toMatchObject({ errorClass: 'Promise' });
    await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail this test run
  });

  it('stores values that fight back', () => {
    const getters = Object.defineProperties(new Error('x'), {
      stack: { get: trap },
      name: { get: trap },
      message: { get: trap },
      cause: { get: trap },
    });
    const proxy = new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap, has: trap });
    const tagged = {
      get [Symbol.toStringTag]() {
        return trap();
      },
    };
    const callable = Object.assign(() => 1, { toString: trap, [Symbol.toPrimitive]: trap });
    const revoked = Proxy.revocable([], {});
    revoked.revoke();
    const parts = Object.assign(new Error('x'), { errors: revoked.proxy });
    const revokedFunction = Proxy.revocable(() => 1, {});
    revokedFunction.revoke();
    const badParts = Object.assign(new Error('x'), { errors: new Proxy([1], { get: trap }) });
    const values = [getters, proxy, tagged, callable, parts, badParts, revoked.proxy, revokedFunction.proxy];
    for (const value of values) expect(storeError(value).message).not.toBe('');
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(storeError(circle).message).toContain('[circular]');
  });

  it('cuts a message of 10 MB at a code point and says so', () => {
    for (const unit of ['a', 'é', '😀', ' ']) {
      const stored = storeError(new Error('x' + unit.repeat(5_000_000)));
      expect(size(stored.message) + size(stored.stack)).toBeLessThanOrEqual(65_536);
      expect(stored.message).toMatch(/\[truncated\]$/);
      expect(stored.message).not.toMatch(/\uFFFD|\p{Surrogate}/u);
      expect(stored.stack).toContain('stored-error.test.ts');
    }
  });

  it('stays within its limit for deep and wide causes', () => {
    const wide = (depth: number): Error =>
      depth === 0
        ? new Error('y'.repeat(50_000))
        : new AggregateError(
            Array.from({ length: 30 }, () => wide(depth - 1)),
            'z'.repeat(50_000),
          );
    const stored = storeError(wide(2));
    expect(size(stored.message) + size(stored.stack)).toBeLessThanOrEqual(65_536);
  });

  it('replaces what PostgreSQL cannot store', () => {
    const stored = storeError(new Error('a\0b\uD800c😀'));
    expect(stored.message).toBe('a\uFFFDb\uFFFDc😀');
    expect(stored.stack).not.toMatch(/\0|\p{Surrogate}/u);
  });

  it('tells the causes and the parts of an AggregateError below the stack, a circle once', () => {
    const inner = new RangeError('inner');
    const outer = new Error('outer', { cause: inner });
    inner.cause = outer;
    expect(storeError(outer).stack).toMatch(/^Error: outer\n[\s\S]*\nCaused by: RangeError: inner\n\s+at /);
    const stack = storeError(new AggregateError([inner, 'second'], 'both')).stack ?? '';
    expect(stack).toMatch(/One of them: RangeError: inner/);
    expect(stack).toMatch(/One of them: string: second/);
    expect(stack.match(/RangeError: inner/g)).toHaveLength(1);
  });

  it('takes secrets out of message, stack and causes', () => {
    const secret = 'postgres://app:hunter2@db/app';
    const stored = storeError(new Error(`cannot connect to ${secret}`, { cause: new Error(`password=hunter2`) }));
    expect(stored.message).toBe('cannot connect to postgres://app:[redacted]@db/app');
    expect(stored.stack).not.toContain('hunter2');
  });

  it('does not leave the first half of a secret where a text was cut', () => {
    const stored = storeError(new Error(`${'x '.repeat(65_500)}postgres://app:hunter2${'2'.repeat(300)}@db/app`));
    expect(stored.message).not.toContain('hunter');
  });
});

describe('fingerprint', () => {
  it('is equal for one text at one place, numbers and ids aside', () => {
    const texts = [
      'order 17 of 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      'order 4 of 00000000-4f89-41d3-9a0c-0305e82c3301',
    ];
    const [a, b] = texts.map((text) => fingerprintOf(text));
    expect(a).toBe(b);
  });

  it('differs for another class, text or place', () => {
    expect(
      new Set([fingerprintOf('a'), fingerprintOf('b'), fingerprintOf('a', TypeError), fingerprintElsewhere('a')]).size,
    ).toBe(4);
  });
});
