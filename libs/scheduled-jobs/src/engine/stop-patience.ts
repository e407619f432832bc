import { within } from './within.js';

/** How long a stop may wait for something, milliseconds. */
export interface Patience {
  readonly ms: number;
  /** Once the stop is forced. */
  readonly forcedMs: number;
}

/** The waits of a stop: each has its bound, and a shorter one as soon as somebody forces the stop. */
export class StopPatience {
  private readonly forcing = new AbortController();
  private readonly forced = new Promise<void>((resolve) => {
    this.forcing.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  force(): void {
    this.forcing.abort();
  }

  wait(done: Promise<unknown>, { ms, forcedMs }: Patience): Promise<void> {
    return within(ms, Promise.race([done, this.forced.then(() => within(forcedMs, done))]));
  }
}
