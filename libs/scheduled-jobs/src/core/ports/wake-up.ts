/** Hints that there may be work. Polling is the truth: a lost hint costs one poll, never an execution. */
export interface WakeUp {
  /** Starts to listen; returns at once and keeps reconnecting by itself. */
  start(onHint: () => void): void;
  /** Resolves when nothing of it runs any more; safe to call twice. */
  stop(): Promise<void>;
}
