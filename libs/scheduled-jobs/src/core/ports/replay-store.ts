import type { FinalState } from '../execution/execution-state.js';
import type { OperatorRequest } from './operator-request.js';

/** The states whose executions may be run again; `succeeded` only one by one, and only by force. */
export const REPLAYABLE_STATES = [
  'failed',
  'completed_with_errors',
  'canceled',
  'skipped',
] as const satisfies readonly FinalState[];
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

/** Which ended executions are meant. Members left out do not filter. Acknowledged failures are not meant. */
export interface ReplayFilter {
  readonly job?: string;
  readonly queue?: string;
  /** Default `failed` alone. */
  readonly states?: readonly ReplayableState[];
  /** The `fingerprint` of a recorded error. */
  readonly fingerprint?: string;
  /** Ended at or after this instant. */
  readonly finishedFrom?: Date;
  /** Ended before this instant. */
  readonly finishedTo?: Date;
}

/** A payload in place of one that was wrong. */
export interface CorrectedPayload {
  /** JSON text; null = none. */
  readonly json: string | null;
  /** What the job makes of it. */
  readonly concurrencyKey: string | null;
}

/** The replay of one execution. */
export interface ReplayRequest extends OperatorRequest {
  /** True = also of a success. */
  readonly force: boolean;
  /** Null = it stays as it is. */
  readonly corrected: CorrectedPayload | null;
}

/** The replay of one page of executions, in the order of their ids. */
export interface ReplayPageRequest extends OperatorRequest {
  readonly filter: ReplayFilter;
  /** How many it takes at most, 1 … 1,000. */
  readonly limit: number;
  /** How many of them are to start in a minute. */
  readonly maxPerMinute: number;
  /** Null = the first page. */
  readonly after: ReplayPosition | null;
}

/** Where the next page begins, and when its first execution may start. */
export interface ReplayPosition {
  readonly executionId: string;
  readonly runAt: Date;
}

/** An execution that runs again. */
export interface ReplayedExecution {
  readonly executionId: string;
  readonly key: string;
  /** When it may start. */
  readonly runAt: Date;
}

/** What became of a page. */
export interface ReplayedPage {
  readonly replayed: readonly ReplayedExecution[];
  /** Chosen, but held by another statement or changed before its turn came: left alone. */
  readonly leftAlone: number;
  /** Null = there is no further page. */
  readonly next: ReplayPosition | null;
}

/** Executions of one job that a filter means, with one kind of error. */
export interface ReplayGroup {
  readonly job: string;
  /** Null = they ended without an error. */
  readonly fingerprint: string | null;
  readonly errorClass: string | null;
  readonly count: number;
  /** The keys of the newest ones, at most 3. */
  readonly examples: readonly string[];
}

/** What a filter means now. */
export interface ReplayPreview {
  readonly count: number;
  /** The greatest first, at most 100. */
  readonly groups: readonly ReplayGroup[];
}

/**
 * Brings ended executions back, so that they run again. A replay waits for no lock, and several at once bring an
 * execution back once. Each one and its entry in the audit are one transaction.
 */
export interface ReplayStore {
  /** Null = it has not ended in a state that allows it, or another statement holds it: look again. */
  replay(executionId: string, request: ReplayRequest): Promise<ReplayedExecution | null>;
  replayPage(request: ReplayPageRequest): Promise<ReplayedPage>;
  preview(filter: ReplayFilter): Promise<ReplayPreview>;
}
