import type { ExecutionState, FinalState } from '../execution/execution-state.js';
import type { JobDefinition, OverlapPolicy } from '../job/job-definition.js';
import type { CappedCount } from './capped-count.js';
import type { ExecutionSummary } from './ledger-reader.js';

/** The pause that a job or a queue is in. */
export interface PauseNote {
  readonly since: Date;
  readonly actor: string | null;
  readonly reason: string | null;
}

/** The newest execution of a job that was due: what a list of jobs shows of it. */
export type LastExecution = Pick<
  ExecutionSummary,
  | 'executionId'
  | 'key'
  | 'period'
  | 'reason'
  | 'scheduledFor'
  | 'startedAt'
  | 'finishedAt'
  | 'durationMs'
  | 'attempts'
  | 'errorClass'
  | 'errorCode'
> & { readonly state: ExecutionState };

/** A job that the ledger knows, whichever application has it. */
export interface JobRecord {
  readonly jobName: string;
  /** It has a schedule. */
  readonly scheduled: boolean;
  /** The name under which its schedule goes on; null = this one. */
  readonly renamedTo: string | null;
  /** Of its newest execution that was due; null = there is none. */
  readonly lastQueue: string | null;
  readonly overlap: OverlapPolicy;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly deadlineMs: number;
  /** How long ended executions are kept, milliseconds; a state that is not named is kept for ever. */
  readonly retentionMs: Readonly<Partial<Record<FinalState, number>>>;
  /** Null = a background job. */
  readonly startWithinMs: number | null;
  /** Text or URL. */
  readonly runbook: JobDefinition['alert']['runbook'];
  /** Since when no live worker has its handler; null = one has. */
  readonly unhandledSince: Date | null;
  /** Null = it is not paused. */
  readonly pause: PauseNote | null;
  readonly last: LastExecution | null;
  /** Its share of the newest 10,000 dead letters. */
  readonly deadLetters: number;
}

/** The jobs of the ledger. */
export interface JobRecords {
  /** By name, at most 1,000. */
  readonly jobs: readonly JobRecord[];
  /** There are more jobs than these. */
  readonly hasMore: boolean;
  /** Of all jobs. */
  readonly deadLetters: CappedCount;
}

/** Reads jobs. */
export interface JobReader {
  /** @param name One job; null = all. */
  list(name: string | null, now: Date | null): Promise<JobRecords>;
  /** Whether the ledger knows the job. */
  has(name: string): Promise<boolean>;
}
