import { JobsError } from './errors.js';
import type { ExecutionState, FinalState } from './execution/execution-state.js';

/** An execution whose state does not allow a replay; `state` says which one it is in. */
export class ExecutionNotReplayableError extends JobsError {
  constructor(
    readonly key: string,
    readonly state: ExecutionState,
  ) {
    const advice =
      state === 'succeeded'
        ? 'Pass force: true to execute a success once more, from its beginning.'
        : 'It has not ended: wait for its end, or cancel it first.';
    super(
      'JOBS_EXECUTION_NOT_REPLAYABLE',
      `The execution "${key}" is ${state} and cannot be executed once more. ${advice}`,
    );
  }
}

/** An execution that has ended already, so that there is nothing to cancel. */
export class ExecutionEndedError extends JobsError {
  constructor(
    readonly key: string,
    readonly state: FinalState,
  ) {
    super(
      'JOBS_EXECUTION_ENDED',
      `The execution "${key}" has ended ${state}: there is nothing to cancel. What it has done stays done.`,
    );
  }
}

/** An execution that did not fail, so that there is nothing to acknowledge. */
export class ExecutionNotFailedError extends JobsError {
  constructor(
    readonly key: string,
    readonly state: ExecutionState,
  ) {
    super(
      'JOBS_EXECUTION_NOT_FAILED',
      `The execution "${key}" is ${state}: only a failed one is a dead letter that can be acknowledged.`,
    );
  }
}

/** Another statement holds the row of the execution for longer than an operation waits; the same call may succeed later. */
export class ExecutionHeldError extends JobsError {
  constructor(readonly key: string) {
    super(
      'JOBS_EXECUTION_HELD',
      `Something else holds the execution "${key}", such as a transaction of its run that is about to commit. Ask again.`,
    );
  }
}
