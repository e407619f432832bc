import { describe, expect, it } from 'vitest';
import { errorStack, errorText } from './loggable-error.js';

describe('what was thrown, as a log line', () => {
  it('has class and text, without secrets, at most 4,000 bytes', () => {
    expect(errorText(new RangeError('no postgres://a:hunter2@b'))).toBe('RangeError: no postgres://a:[redacted]@b');
    expect(Buffer.byteLength(errorText(new Error('😀'.repeat(10_000))))).toBeLessThanOrEqual(4_000);
    expect(errorText(undefined)).toBe('undefined: undefined');
  });

  it('has the stacks of the causes as well', () => {
    const error = new Error('outer', { cause: new RangeError('inner password=hunter2') });
    expect(errorStack(error)).toMatch(
      /^Error: outer\n\s+at .*loggable-error[^]*\nCaused by: RangeError: inner password=\[redacted\]/,
    );
    expect(errorStack('text')).toBeUndefined();
  });

  it('has a line for what does not want to be read', () => {
    const { proxy, revoke } = Proxy.revocable(new Error('x'), {});
    revoke();
    expect(errorText(proxy)).toMatch(/./);
    expect(() => errorStack(proxy)).not.toThrow();
  });
});
