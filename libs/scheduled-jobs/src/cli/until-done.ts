import { setTimeout as rest } from 'node:timers/promises';

const LOOK_EVERY_MS = 1_000;

interface Waiting<T> {
  readonly look: () => Promise<T>;
  readonly isDone: (found: T) => boolean;
  /** Called with what is not done yet. */
  readonly show: (found: T) => void;
  readonly everyMs?: number;
}

/** Looks once a second until something is done, and gives what it found then. */
export async function untilDone<T>({ look, isDone, show, everyMs = LOOK_EVERY_MS }: Waiting<T>): Promise<T> {
  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    show(found);
    await rest(everyMs);
  }
}
