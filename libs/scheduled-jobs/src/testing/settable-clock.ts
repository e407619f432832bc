import { parseDuration, type Duration } from '../core/duration.js';
import { InvalidOptionsError } from '../core/errors.js';
import { INSTANT_HINT, readInstant } from '../core/job/instant-option.js';
import { shown } from '../core/job/option-reader.js';
import type { Clock } from '../core/ports/clock.js';

/**
 * The time that the jobs of a test live in: what is due, late, expired and recorded is judged by it. It stands still until
 * the test moves it, and never goes back: what is recorded would lie in the future.
 */
export class SettableClock implements Clock {
  private instant: Date;

  /** @throws InvalidOptionsError when it is no instant. */
  constructor(start: Date | string) {
    this.instant = instantOf(start);
  }

  get now(): Date {
    return new Date(this.instant);
  }

  /** Moves it to an instant. @throws InvalidOptionsError when that is none, or lies before the present. */
  set(to: Date | string): void {
    const instant = instantOf(to);
    if (instant < this.instant) {
      throw new InvalidOptionsError([
        `the clock of a test cannot go back from ${this.instant.toISOString()} to ${instant.toISOString()}. Begin anew with reset()`,
      ]);
    }
    this.instant = instant;
  }

  /** Moves it on. @throws InvalidOptionsError when that is no duration. */
  advance(by: Duration): void {
    const ms = parseDuration(by);
    if (ms === null) throw new InvalidOptionsError([`the clock advances by a duration such as "5m", got ${shown(by)}`]);
    this.instant = new Date(this.instant.getTime() + ms);
  }

  /** @internal Lets it begin anew, also before the present. */
  restart(at: Date | string): void {
    this.instant = instantOf(at);
  }

  /** Waits are real: only facts go by this clock. */
  monotonicMs(): number {
    return performance.now();
  }

  boundNow(): Date {
    return this.now;
  }
}

function instantOf(value: Date | string): Date {
  const instant = readInstant(value);
  if (instant === null) throw new InvalidOptionsError([`the clock takes ${INSTANT_HINT}, got ${shown(value)}`]);
  return instant;
}
