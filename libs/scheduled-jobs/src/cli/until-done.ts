import { setTimeout as rest } from 'node:timers/promises';

const LOOK_EVERY_MS = 1_000;

interface Waiting<T> {
  readonly look: () => Promise<T>;
  readonly isDone: (found: T) => boolean;
  /** Called with what is not done yet. */
  readonly show: (found: T) => void;
  readonly everyMs?: number;
  /** Aborted = nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Looks once a second until something is done or nobody waits any more, and gives what it found then. */
export async function untilDone<T>({ look, isDone, show, everyMs = LOOK_EVERY_MS, signal }: Waiting<T>): Promise<T> {
  for (;;) {
    const found = await look();
    if (isDone(found) || signal.aborted) return found;
    show(found);
    await rest(everyMs, undefined, { signal }).catch(() => undefined); // It looks once more.
  }
}
