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
