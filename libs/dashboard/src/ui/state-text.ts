import type { ExecutionState } from '../api/answers.js';

/** What can be told by a mark: states of executions, and how a period, a queue or an instance stands. */
export type Mark = ExecutionState | 'missing' | 'overdue' | 'not-due' | 'good' | 'attention' | 'paused' | 'unknown';

const TEXTS: Readonly<Record<ExecutionState, string>> = {
  pending: 'Pending',
  running: 'Running',
  retrying: 'Retrying',
  succeeded: 'Succeeded',
  completed_with_errors: 'Completed with errors',
  failed: 'Failed',
  canceled: 'Canceled',
  skipped: 'Skipped',
};

export const STATES = Object.keys(TEXTS) as readonly ExecutionState[];

export const stateText = (state: ExecutionState): string => TEXTS[state];
