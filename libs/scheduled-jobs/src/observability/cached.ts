import type { Clock } from '../core/ports/clock.js';

/** Keeps what was read for a while; whoever asks meanwhile shares one reading. A failure is not kept. */
export class Cached<T> {
  private reading: Promise<T> | null = null;
  private expiresMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly options: { readonly forMs: number; readonly clock: Pick<Clock, 'monotonicMs'> },
  ) {}

  get(): Promise<T> {
    if (this.reading !== null && this.options.clock.monotonicMs() < this.expiresMs) return this.reading;
    // until it has been read, it does not expire: a slow database is not asked once more
    this.expiresMs = Number.POSITIVE_INFINITY;
    const reading = this.read();
    this.reading = reading;
    reading.then(
      () => (this.expiresMs = this.options.clock.monotonicMs() + this.options.forMs),
      () => (this.reading = null),
    );
    return reading;
  }
}
