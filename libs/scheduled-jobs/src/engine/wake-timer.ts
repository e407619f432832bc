/** One wake-up call at a time. The Nest adapter binds it to `SchedulerRegistry`, so that the timeout can be seen there. */
export interface WakeTimer {
  /** Calls `wake` once after `delayMs`; replaces an earlier call. */
  set(delayMs: number, wake: () => void): void;
  clear(): void;
}

/** A longer `setTimeout` fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

class SystemWakeTimer implements WakeTimer {
  private handle: NodeJS.Timeout | undefined;

  set(delayMs: number, wake: () => void): void {
    clearTimeout(this.handle);
    const stepMs = Math.min(Math.max(delayMs, 0), MAX_DELAY_MS);
    this.handle = setTimeout(() => (delayMs > stepMs ? this.set(delayMs - stepMs, wake) : wake()), stepMs);
  }

  clear(): void {
    clearTimeout(this.handle);
  }
}

/** A timer of this process, for any delay, that keeps the process alive while it is set. */
export const createWakeTimer = (): WakeTimer => new SystemWakeTimer();
