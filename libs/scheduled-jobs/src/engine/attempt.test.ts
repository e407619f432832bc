import { describe, expect, it } from 'vitest';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import { Attempt } from './attempt.js';
import { HeldExecution } from './held-execution.js';

const CLAIMED = { executionId: '1', leaseToken: '2', key: 'mail:1', leaseMs: 30_000, claimedAt: new Date(0) };
const DEFINITION = { timeoutMs: 60_000, abortGraceMs: 60_000 };

function begun(boundNow: () => Date | null = () => null) {
  const held = new HeldExecution(CLAIMED as ClaimedExecution, { sentMs: 0, receivedMs: 0 });
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs, boundNow };
  const attempt = new Attempt({ held, definition: DEFINITION as JobDefinition, clock, shutdownGraceMs: 1_000 });
  attempt.begin();
  return { held, attempt, clock };
}

describe('an attempt', () => {
  it('goes by the database, as it has gone on since the claim, or by a time that is bound, which stands still', () => {
    const real = begun();
    real.clock.nowMs = 7;
    expect(real.attempt.now()).toEqual(new Date(7));
    const bound = new Date('2026-08-14T04:00:00Z');
    const { attempt, clock } = begun(() => bound);
    clock.nowMs = 7;
    expect([attempt.startedAt, attempt.now()]).toEqual([bound, bound]);
  });

  it('has a signal that has fired with the first reason when it is asked for only afterwards', () => {
    const { held, attempt } = begun();
    expect(attempt.isAborted).toBe(false);
    attempt.stop('cancel');
    held.lose();
    expect(attempt.isAborted).toBe(true);
    expect(attempt.signal.reason).toMatchObject({ code: 'JOBS_EXECUTION_CANCELED' });
  });

  it('fires the signal that somebody holds, once, with the first reason', () => {
    const { held, attempt } = begun();
    const { signal } = attempt;
    expect(signal.aborted).toBe(false);
    held.lose();
    attempt.stop('cancel');
    expect(signal.reason).toMatchObject({ code: 'JOBS_LEASE_LOST' });
  });

  it('waits for no handler whose lease is lost, before or after the wait began', async () => {
    const never = new Promise<string>(() => undefined);
    const early = begun();
    early.held.lose();
    expect(await early.attempt.ending(never)).toBeNull();
    const late = begun();
    const ending = late.attempt.ending(never);
    late.held.lose();
    expect(await ending).toBeNull();
  });

  it('tells how long its handler really had when a forced stop cuts the grace short', async () => {
    const { attempt, clock } = begun();
    attempt.stop('shutdown');
    const ending = attempt.ending(new Promise<string>(() => undefined));
    expect(attempt.grantedMs).toBe(1_000);
    clock.nowMs = 400;
    attempt.cutShort();
    expect(await ending).toBeNull();
    expect(attempt.grantedMs).toBe(400);
    attempt.end();
  });

  it('leaves no timer that keeps its process when a cancel is asked for while its end is recorded', () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const { held, attempt } = begun();
    attempt.end();
    held.requestCancel();
    expect(timers()).toBe(before);
    expect(attempt.stopCause).toBeNull();
  });

  it('ends as its handler does', async () => {
    const { attempt } = begun();
    expect(await attempt.ending(Promise.resolve('done'))).toBe('done');
    attempt.end();
  });
});
