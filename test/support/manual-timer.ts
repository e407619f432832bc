import type { WakeTimer } from '../../libs/scheduled-jobs/src/engine/wake-timer.js';

/** A timer that fires when the test says so. */
export class ManualTimer implements WakeTimer {
  delayMs: number | null = null;
  private wake: () => void = () => undefined;

  set(delayMs: number, wake: () => void): void {
    this.delayMs = delayMs;
    this.wake = wake;
  }

  clear(): void {
    this.delayMs = null;
  }

  fire(): void {
    this.delayMs = null;
    this.wake();
  }
}
