import type { ClaimedExecution } from '../core/execution/claimed-execution.js';

/** What to ask of one queue: how many to take, and how many of them start at once. */
export interface Quota {
  readonly queue: string;
  readonly take: number;
  readonly start: number;
}

/**
 * Divides a number of places fairly among queues: equal shares, and what is left over goes to the queues from position
 * `turn` on, so that over several rounds no queue is preferred.
 */
export function shareOut(places: number, queues: readonly string[], turn: number): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (let step = 0; step < queues.length; step++) {
    const queue = queues[(turn + step) % queues.length];
    const share = Math.floor(places / queues.length) + (step < places % queues.length ? 1 : 0);
    if (queue !== undefined) shares.set(queue, share);
  }
  return shares;
}

/**
 * A queue that was asked and gave less than it might has nothing more at the moment; but where something on its last chance
 * was claimed, others of its kind have taken places of the answer.
 */
export function isExhausted(
  queue: string,
  quotas: readonly Quota[],
  got: readonly Pick<ClaimedExecution, 'queue' | 'isLastChance'>[],
): boolean {
  const quota = quotas.find((asked) => asked.queue === queue);
  if (quota === undefined || got.some(({ isLastChance }) => isLastChance)) return false;
  return got.filter((claimed) => claimed.queue === queue).length < quota.take;
}
