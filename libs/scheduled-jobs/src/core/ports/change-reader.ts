import type { ExecutionState } from '../execution/execution-state.js';

/** What is looked at to notice changes. */
export interface ChangeSnapshot {
  /** States of the newest executions, of the newest running ones and of those that were asked for, by id. */
  readonly states: ReadonlyMap<string, ExecutionState>;
  /** Differs when somebody did something by hand. */
  readonly operations: string;
  /** Differs when an alert was raised or closed. */
  readonly alerts: string;
}

/** Looks at what may have changed. */
export interface ChangeReader {
  /** @param watched Ids of executions, at most 1,000. */
  snapshot(watched: readonly string[]): Promise<ChangeSnapshot>;
}
