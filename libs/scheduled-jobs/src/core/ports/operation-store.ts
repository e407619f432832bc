import type { ExecutionState } from '../execution/execution-state.js';
import type { OperatorRequest } from './operator-request.js';

/** How an execution stands when somebody wants to do something to it. */
export interface FoundExecution {
  readonly executionId: string;
  readonly key: string;
  readonly jobName: string;
  readonly state: ExecutionState;
  readonly acknowledgedAt: Date | null;
}

/** Single executions, as operators act on them. Each action and its entry in the audit are one transaction. */
export interface OperationStore {
  /** One answer per key or id, in the order given; null = there is no such execution. At most 1,000. */
  find(keysOrIds: readonly string[]): Promise<readonly (FoundExecution | null)[]>;
  /**
   * Ends an execution that no worker holds; asks the worker of any other to stop.
   * @returns Null = it has ended, or another statement holds it: look again.
   */
  cancel(executionId: string, request: OperatorRequest): Promise<'canceled' | 'asked' | null>;
  /**
   * Acknowledges failures: they are no dead letters any more.
   * @returns The ids of those that were; others have another state, were acknowledged before, or are held by a statement.
   */
  acknowledge(executionIds: readonly string[], request: OperatorRequest): Promise<readonly string[]>;
}
