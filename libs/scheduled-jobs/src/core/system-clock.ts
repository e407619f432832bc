import type { Clock } from './ports/clock.js';

/** The clock of production: facts by the database's time, waits by this process's monotonic one. */
export const SYSTEM_CLOCK: Clock = {
  monotonicMs: () => performance.now(),
  boundNow: () => null,
};
