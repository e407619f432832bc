/** What a hint is about: there may be work, or something that runs was asked to stop. */
export type Hint = 'work' | 'cancel';

/** Hints of what polling would find later. Polling is the truth: a lost hint costs one poll, never an execution. */
export interface WakeUp {
  /** Starts to listen; returns at once and keeps reconnecting by itself. */
  start(onHint: (hint: Hint) => void): void;
  /** Resolves when nothing of it runs any more; safe to call twice. */
  stop(): Promise<void>;
}
