import type { ExecutionState } from '../execution/execution-state.js';
import type { OperatorRequest } from './operator-request.js';
import type { ReplayFilter } from './replay-store.js';

/** How an execution stands when somebody wants to do something to it. */
export interface FoundExecution {
  readonly executionId: string;
  readonly key: string;
  readonly jobName: string;
  readonly state: ExecutionState;
  readonly acknowledgedAt: Date | null;
}

/** Which dead letters are meant. Members left out do not filter. */
export type AcknowledgeFilter = Omit<ReplayFilter, 'states'>;

/** The acknowledgement of one page of dead letters, in the order of their ids. */
export interface AcknowledgePageRequest extends OperatorRequest {
  readonly filter: AcknowledgeFilter;
  /** How many it takes at most, 1 … 1,000. */
  readonly limit: number;
  /** The id behind which it begins; null = the first page. */
  readonly after: string | null;
}

/** What became of a page. */
export interface AcknowledgedPage {
  /** Their keys. */
  readonly acknowledged: readonly string[];
  /** Chosen, but held by another statement or changed before its turn came: left alone. */
  readonly leftAlone: number;
  /** The id behind which the next page begins; null = there is none. */
  readonly next: string | null;
}

/** Executions, as operators act on them. Each action and its entry in the audit are one transaction. */
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
  /** Acknowledges those that a filter means, each only if it is meant when its turn comes. */
  acknowledgePage(request: AcknowledgePageRequest): Promise<AcknowledgedPage>;
}
