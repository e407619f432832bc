import type { EventSink } from '../core/events/engine-event.js';
import type { FinalState } from '../core/execution/execution-state.js';
import type { NewExecution } from '../core/execution/new-execution.js';
import { groupBy } from '../core/group-by.js';

/** An execution that a statement has ended, or several of a job. */
export interface EndedRow {
  readonly job_name: string;
  readonly state: FinalState;
  /** Default 1. */
  readonly count?: number;
}

/**
 * Tells of executions that ended without a worker that records it, one event for each job and state. It is called after the
 * commit: what is rolled back has not ended, and what is repeated has ended once.
 */
export function tellEnds(emit: EventSink, rows: readonly EndedRow[]): void {
  const groups = groupBy(rows, ({ job_name: job, state }) => `${state}/${job}`);
  for (const group of groups.values()) {
    const [{ job_name: job, state } = { job_name: '', state: 'skipped' as const }] = group;
    emit({ type: 'executions.ended', job, state, count: group.reduce((sum, { count = 1 }) => sum + count, 0) });
  }
}

/** Those of the executions that a cancel has ended; the others run and were asked to stop, or left alone. */
export const canceledEnds = (
  rows: readonly { readonly job_name: string; readonly done: string }[],
): readonly EndedRow[] =>
  rows.flatMap(({ job_name, done }) => (done === 'canceled' ? [{ job_name, state: 'canceled' as const }] : []));

/** Those of the inserted executions that were born skipped. */
export const bornEnded = (
  executions: readonly NewExecution[],
  inserted: readonly { readonly ord: number }[],
): readonly EndedRow[] =>
  inserted.flatMap(({ ord }) => {
    const execution = executions[ord - 1];
    return execution === undefined || execution.skip === null
      ? []
      : [{ job_name: execution.jobName, state: 'skipped' as const }];
  });
