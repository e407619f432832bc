import { describe, expect, it } from 'vitest';
import { ItemsFailedError, PayloadInvalidError, PermanentError, RetryLaterError } from '../errors.js';
import { judgeError } from './judge-error.js';
import { settle, type AttemptEnd } from './settlement.js';

const NOW = new Date('2026-08-14T06:00:00Z');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);

function end(parts: Partial<AttemptEnd> = {}): AttemptEnd {
  return {
    failure: null,
    stopCause: null,
    itemFailures: 0,
    attempt: 1,
    maxAttempts: 3,
    retry: {
      maxAttempts: 3,
      backoff: { kind: 'list', delaysMs: [1_000, 2_000] },
      jitter: 'equal',
      deadlineMs: 60_000,
      retryAfterMaxMs: 30_000,
    },
    deadlineAt: inMs(60_000),
    now: NOW,
    random: 0,
    ...parts,
  };
}
const thrown = (error: unknown) => ({ failure: judgeError(error, null).judgement });
const deferred = (retryAfter: number | Date) =>
  settle(end({ ...thrown(new RetryLaterError('x', { retryAfter })), attempt: 3 }));
const failed = { disposition: 'failed', outcome: 'failed', runAt: null, reason: null };

describe('settle', () => {
  it('succeeds when the handler returned', () => {
    expect(settle(end())).toEqual({ disposition: 'succeeded', outcome: 'succeeded', runAt: null, reason: null });
  });

  it('completes with errors when items failed', () => {
    expect(settle(end({ itemFailures: 1 }))).toMatchObject({
      disposition: 'completed_with_errors',
      outcome: 'completed_with_errors',
    });
  });

  it('retries a thrown error after the backoff of this attempt', () => {
    expect(settle(end(thrown(new Error('x'))))).toEqual({
      disposition: 'retry',
      outcome: 'failed',
      runAt: inMs(1_000),
      reason: null,
    });
    expect(settle(end({ ...thrown('x'), attempt: 2 })).runAt).toEqual(inMs(2_000));
  });

  it('begins the backoff anew after a replay, which allows three attempts more', () => {
    const retryOf = (attempt: number, maxAttempts: number) =>
      settle(end({ ...thrown('x'), attempt, maxAttempts })).runAt;
    expect(retryOf(4, 6)).toEqual(inMs(1_000));
    expect(retryOf(5, 6)).toEqual(inMs(2_000));
    expect(retryOf(1, 2)).toEqual(inMs(1_000));
  });

  it('fails when no attempt is left', () => {
    expect(settle(end({ ...thrown(undefined), attempt: 3 }))).toEqual(failed);
    expect(settle(end({ ...thrown(new Error('x')), attempt: 1, maxAttempts: 1 }))).toEqual(failed);
  });

  it('fails because of the deadline when the next attempt would start at it or later', () => {
    expect(settle(end({ ...thrown(new Error('x')), deadlineAt: inMs(1_000) }))).toEqual({
      ...failed,
      reason: 'deadline',
    });
    expect(settle(end({ ...thrown(new Error('x')), deadlineAt: inMs(1_001) }))).toMatchObject({ disposition: 'retry' });
    expect(settle(end({ ...thrown(new Error('x')), deadlineAt: null }))).toMatchObject({ disposition: 'retry' });
  });

  it('does not blame the deadline when the attempts are used up as well', () => {
    expect(settle(end({ ...thrown(new Error('x')), attempt: 3, deadlineAt: inMs(1) }))).toEqual(failed);
  });

  it.each([
    ['itself', new PermanentError('x')],
    ['as a cause', new Error('outer', { cause: new Error('middle', { cause: new PermanentError('x') }) })],
    ['of an item', new ItemsFailedError('accounts', 1, { itemKey: '7', cause: new PermanentError('x') })],
    [
      'of another copy of the package',
      Object.assign(new Error('x'), { [Symbol.for('nestjs-scheduled-jobs/permanent-error')]: true }),
    ],
    ['for a payload', new PayloadInvalidError('a:1', { cause: new Error('x') })],
  ])('fails at once for a PermanentError: %s', (_, error) => {
    expect(settle(end(thrown(error)))).toEqual(failed);
  });

  it('ends the search for causes in a circle or at a getter that throws', () => {
    const circle = new Error('x');
    circle.cause = circle;
    const trap = Object.defineProperty(new Error('x'), 'cause', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(settle(end(thrown(circle)))).toMatchObject({ disposition: 'retry' });
    expect(settle(end(thrown(trap)))).toMatchObject({ disposition: 'retry' });
  });

  it('defers for as long as a RetryLaterError asks, and does not look at the attempts', () => {
    expect(deferred(5_000)).toEqual({ disposition: 'retry', outcome: 'deferred', runAt: inMs(5_000), reason: null });
    expect(deferred(inMs(7_000)).runAt).toEqual(inMs(7_000));
  });

  it.each([0, -1, 999, inMs(-7_000), new Date(0)])(
    'waits 1 s at least when a RetryLaterError says %s',
    (retryAfter) => {
      expect(deferred(retryAfter).runAt).toEqual(inMs(1_000));
    },
  );

  it('bounds the wait of a RetryLaterError', () => {
    const error = new RetryLaterError('x', { retryAfter: Number.POSITIVE_INFINITY });
    expect(settle(end(thrown(error))).runAt).toEqual(inMs(30_000));
    expect(settle(end({ ...thrown(error), deadlineAt: inMs(30_000) }))).toEqual({ ...failed, reason: 'deadline' });
  });

  it.each([[undefined], [Number.NaN], [new Date(Number.NaN)], ['10' as never]])(
    'waits for the backoff when a RetryLaterError says %s',
    (retryAfter) => {
      const error = new RetryLaterError('x', retryAfter === undefined ? {} : { retryAfter });
      expect(settle(end(thrown(error)))).toMatchObject({ outcome: 'deferred', runAt: inMs(1_000) });
    },
  );

  it.each([
    ['none', 1_000],
    ['equal', 750],
    ['full', 500],
  ] as const)('shortens the backoff by chance as jitter "%s" says', (jitter, waitMs) => {
    const parts = { retry: { ...end().retry, jitter }, random: 0.5 };
    expect(settle(end({ ...thrown(new Error('x')), ...parts })).runAt).toEqual(inMs(waitMs));
    expect(settle(end({ stopCause: 'timeout', ...parts })).runAt).toEqual(inMs(waitMs));
  });

  it('gives a time that can be stored for the longest wait there is', () => {
    const longestMs = 36_500 * 86_400_000;
    const retry = {
      ...end().retry,
      backoff: { kind: 'list', delaysMs: [longestMs] },
      retryAfterMaxMs: longestMs,
    } as const;
    for (const error of [new Error('x'), new RetryLaterError('x', { retryAfter: Infinity })]) {
      const { runAt } = settle(end({ ...thrown(error), retry, deadlineAt: null }));
      expect(runAt?.toISOString()).toBe('2126-07-21T06:00:00.000Z');
    }
  });

  it('leaves a wait that was asked for as it is', () => {
    expect(settle(end({ ...thrown(new RetryLaterError('x', { retryAfter: 5_000 })), random: 0.9 })).runAt).toEqual(
      inMs(5_000),
    );
  });

  it('fails at once for an error that is permanent by itself', () => {
    expect(settle(end(thrown(Object.assign(new Error('x'), { status: 404 }))))).toEqual(failed);
  });

  const tooMany = (retryAfter?: string) =>
    thrown(Object.assign(new Error('x'), { status: 429, headers: { 'retry-after': retryAfter } }));

  it.each([
    ['20', 20_000],
    [new Date(NOW.getTime() + 20_000).toUTCString(), 20_000],
    ['0', 1_000],
    [new Date(NOW.getTime() - 20_000).toUTCString(), 1_000],
    ['86400', 30_000],
    [new Date('9999-12-31T23:59:59Z').toUTCString(), 30_000],
    ['999999999999999', 30_000],
    [undefined, 1_000],
    ['soon', 1_000],
  ])('defers a throttled call whose Retry-After is %s within 1 s and retryAfterMax', (retryAfter, waitMs) => {
    expect(settle(end({ ...tooMany(retryAfter), maxAttempts: 1 }))).toEqual({
      disposition: 'retry',
      outcome: 'deferred',
      runAt: inMs(waitMs),
      reason: null,
    });
  });

  it('does not defer a throttled call past the deadline', () => {
    expect(settle(end({ ...tooMany('20'), deadlineAt: inMs(20_000) }))).toEqual({ ...failed, reason: 'deadline' });
  });

  it('records what the engine asked for, whatever the handler did after it', () => {
    for (const ending of [{}, thrown(new Error('x')), thrown(new PermanentError('x'))]) {
      expect(settle(end({ ...ending, stopCause: 'cancel' }))).toMatchObject({
        disposition: 'canceled',
        outcome: 'canceled',
      });
      expect(settle(end({ ...ending, stopCause: 'timeout' }))).toMatchObject({
        disposition: 'retry',
        outcome: 'timed_out',
        runAt: inMs(1_000),
      });
      expect(settle(end({ ...ending, stopCause: 'shutdown', attempt: 3 }))).toEqual({
        disposition: 'retry',
        outcome: 'interrupted',
        runAt: null,
        reason: null,
      });
    }
  });

  it('fails a timed out attempt when none is left', () => {
    expect(settle(end({ stopCause: 'timeout', attempt: 3 }))).toMatchObject({
      disposition: 'failed',
      outcome: 'timed_out',
    });
  });
});
