import { describe, expect, it } from 'vitest';
import { claimedExecution } from '../../../../test/support/engine.js';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import { HeldExecution } from './held-execution.js';
import { UnsettledHandlers } from './unsettled-handlers.js';

const LEASE_MS = 1_000;
const GRACE_MS = 300;

function begun(handlers: UnsettledHandlers, parts: Partial<ClaimedExecution> = {}) {
  const held = new HeldExecution(claimedExecution({ leaseMs: LEASE_MS, ...parts }), { sentMs: 0, receivedMs: 0 });
  handlers.begun(held, GRACE_MS);
  return held;
}

describe('Handlers that have not settled', () => {
  it('keep claims from their executions once the lease may be over, until they settle', () => {
    const handlers = new UnsettledHandlers();
    const held = begun(handlers);
    expect(handlers.claimLimits(LEASE_MS - 1)).toEqual({ leftOut: [], lastChance: true });
    expect(handlers.claimLimits(LEASE_MS).leftOut).toEqual([held.lease.executionId]);
    handlers.settled(held);
    expect(handlers.claimLimits(LEASE_MS).leftOut).toEqual([]);
  });

  it('keep claims from them when the lease is lost, for the grace of the job at most', () => {
    const handlers = new UnsettledHandlers();
    const held = begun(handlers);
    held.lose();
    expect(handlers.claimLimits(10).leftOut).toEqual([held.lease.executionId]);
    expect(handlers.claimLimits(10 + GRACE_MS - 1).leftOut).toEqual([held.lease.executionId]);
    expect(handlers.claimLimits(10 + GRACE_MS).leftOut).toEqual([]);
  });

  it('do not, when the lease was renewed after all, or their end is recorded', () => {
    const handlers = new UnsettledHandlers();
    const [renewed, recorded] = [begun(handlers), begun(handlers)];
    renewed.renewed(LEASE_MS);
    recorded.isEnding = true;
    expect(handlers.claimLimits(LEASE_MS).leftOut).toEqual([]);
  });

  it('learn from a claim of their execution that the lease is lost; the claim is not for them', () => {
    const handlers = new UnsettledHandlers();
    const held = begun(handlers);
    const again = new HeldExecution(claimedExecution({ executionId: held.lease.executionId }), {
      sentMs: 0,
      receivedMs: 0,
    });
    expect(handlers.meets(again)).toBe(true);
    expect(held.isLost).toBe(true);
    // A handler whose grace is over is left to itself.
    expect(handlers.meets(again)).toBe(false);
    expect(handlers.meets(new HeldExecution(claimedExecution(), { sentMs: 0, receivedMs: 0 }))).toBe(false);
  });

  it('let no second execution on its last chance be claimed', () => {
    const handlers = new UnsettledHandlers();
    const held = begun(handlers, { isLastChance: true });
    expect(handlers.claimLimits(0).lastChance).toBe(false);
    handlers.settled(held);
    expect(handlers.claimLimits(0).lastChance).toBe(true);
  });
});
