import { ChurnMap } from './churn-map.js';
import type { HeldExecution } from './held-execution.js';
import type { ClaimLimits } from './work-finder.js';

class Handler {
  doubtfulSinceMs: number | null = null;

  constructor(
    readonly held: HeldExecution,
    readonly graceMs: number,
  ) {}
}

/**
 * Handlers of this worker that have not settled, in order not to run the same execution beside one of them. That could
 * only be once its lease is lost, as after a blocked event loop: claims then leave the execution out until the handler has
 * settled, or for the job's `abortGrace` at most, because it may never settle and this may be the only worker.
 */
export class UnsettledHandlers {
  /** By execution: the latest handler of each. */
  private readonly handlers = new ChurnMap<Handler>();

  begun(held: HeldExecution, graceMs: number): void {
    this.handlers.set(held.executionNo, new Handler(held, graceMs));
  }

  settled(held: HeldExecution): void {
    if (this.handlers.get(held.executionNo)?.held === held) this.handlers.delete(held.executionNo);
  }

  /** What the next claim must not bring. */
  claimLimits(nowMs: number): ClaimLimits {
    const leftOut: string[] = [];
    let lastChance = true;
    for (const handler of this.handlers.values()) {
      const { executionId } = handler.held.lease;
      if (handler.held.claimed.isLastChance) lastChance = false;
      if (isDoubtful(handler, nowMs)) leftOut.push(executionId);
    }
    return { leftOut, lastChance };
  }

  /**
   * Tells whether a handler of this execution, which has just been claimed, goes on here and did not know yet that its
   * lease is lost; now it does, and the execution must be handed back.
   */
  meets(claimed: HeldExecution): boolean {
    const held = this.handlers.get(claimed.executionNo)?.held;
    if (held === undefined || held.isLost || held.isEnding) return false;
    held.lose();
    return true;
  }
}

/** A lease that may be over, of a handler that goes on and still has time to stop. */
function isDoubtful(handler: Handler, nowMs: number): boolean {
  const { held, graceMs } = handler;
  const isOver = held.isLost || held.leaseUntilMs <= nowMs;
  // Whose end is being recorded, or is recorded, may be claimed as that record says.
  if (!isOver || held.isEnding) {
    handler.doubtfulSinceMs = null;
    return false;
  }
  handler.doubtfulSinceMs ??= nowMs;
  return nowMs - handler.doubtfulSinceMs < graceMs;
}
