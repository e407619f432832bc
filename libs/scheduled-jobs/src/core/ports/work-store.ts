import type { AttemptRecord, RecordedAttempt } from '../execution/attempt-record.js';
import type { ClaimedExecution, Lease } from '../execution/claimed-execution.js';
import type { FinalState } from '../execution/execution-state.js';

/** What there is to do, from one cheap look. */
export interface WorkOutlook {
  /** Something in the queues asked about can be claimed, but for gated ones. */
  readonly ready: boolean;
  /** A delayed execution is due. */
  readonly due: boolean;
  /** An execution waits for a slot of its concurrency key. */
  readonly waiting: boolean;
  /** Work of idle jobs was moved out of its queue. */
  readonly held: boolean;
  /** Milliseconds until the next delayed execution is due, by the database's clock; null = none. */
  readonly nextRunInMs: number | null;
  /** Those of the queues asked about that are limited, paused or have a breaker. */
  readonly gates: readonly QueueGateOutlook[];
  /** A lease ran out; absent = not asked. */
  readonly expired?: boolean;
}

/** What a queue lets through whose claims all workers have to agree on. */
export interface QueueGateOutlook {
  readonly queue: string;
  /** Something in it could be claimed if there were room. */
  readonly ready: boolean;
  /** Milliseconds until there is room; 0 = now, null = when an execution ends, or an operator resumes it. */
  readonly opensInMs: number | null;
  readonly hasBreaker: boolean;
}

/** What a claim of gated queues gave. */
export interface GatedClaim {
  readonly claimed: readonly ClaimedExecution[];
  /** Another worker was claiming from one of the queues: it was passed over. */
  readonly isBusy: boolean;
}

/** A request for work. */
export interface ClaimRequest {
  readonly workerId: string;
  /** How many to take from each queue at most, and how many of them start at once. */
  readonly quotas: readonly { readonly queue: string; readonly take: number; readonly start: number }[];
  /** The jobs this worker has handlers for. */
  readonly jobNames: readonly string[];
  readonly now: Date | null;
  /** Whether one execution may be brought that fails with the next lost lease; it starts at once. Default true. */
  readonly lastChance?: boolean;
  /** Executions that it must not take. Default none. */
  readonly leftOut?: readonly string[];
}

/** How a lease stands after a renewal. A lease that is not among the answers is lost, once asked twice. */
export interface LeaseStatus extends Lease {
  readonly cancelRequested: boolean;
}

/** An execution taken from a worker whose lease ran out. */
export interface RescuedExecution {
  readonly executionId: string;
  /** Null = it runs again. */
  readonly ending: FinalState | null;
  readonly workerId: string | null;
  readonly freedKey: string | null;
}

/** One log line of a run. */
export interface LogLine extends Lease {
  readonly lineNo: number;
  readonly at: Date;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  /** JSON text; null = none. */
  readonly fields: string | null;
}

/** Stage and percent of a run. */
export interface ProgressUpdate extends Lease {
  readonly stage: string | null;
  readonly percent: number | null;
}

/** Claims, renews and ends leases. Every write of a worker is conditional on its lease (fenced). */
export interface WorkStore {
  /** @param options `leases`: also tell whether a lease ran out. Default false. */
  look(queues: readonly string[], now: Date | null, options?: { readonly leases?: boolean }): Promise<WorkOutlook>;
  /** Makes due delayed executions claimable, or lets them wait for their slot. */
  promote(limit: number, now: Date | null): Promise<number>;
  /**
   * Gives free slots of these concurrency keys to waiting executions, once overlap policies have dropped those that they
   * leave out and asked those that they replace to stop; null = walk over all keys in pages.
   * @param now Default the database's time.
   * @returns How many got one.
   */
  admit(concurrencyKeys: readonly string[] | null, now?: Date | null): Promise<number>;
  /** Says that a live worker handles these jobs. */
  handle(jobNames: readonly string[], now: Date | null): Promise<void>;
  /** Brings held executions of these jobs back, unless they are paused; gives how many. */
  bringBack(jobNames: readonly string[], limit: number): Promise<number>;
  /** Claims from queues without any limit. */
  claim(request: ClaimRequest): Promise<readonly ClaimedExecution[]>;
  /** Claims from gated queues as much as each has room for, all of it to be started at once. */
  claimGated(request: ClaimRequest): Promise<GatedClaim>;
  /** Renews leases and marks `started` ones as started; never waits for a row lock. */
  heartbeat(
    leases: readonly (Lease & { readonly startedAt: Date | null })[],
    now: Date | null,
  ): Promise<readonly LeaseStatus[]>;
  /** Those of the leases whose executions were asked to stop. */
  cancelRequests(leases: readonly Lease[]): Promise<readonly Lease[]>;
  /** Records ended attempts, looking twice; an attempt that is not among the answers was fenced out. */
  finish(
    records: readonly AttemptRecord[],
    context: { readonly workerId: string; readonly now: Date | null },
  ): Promise<readonly RecordedAttempt[]>;
  /** Takes executions over whose lease ran out. */
  rescue(limit: number, now: Date | null): Promise<readonly RescuedExecution[]>;
  /** Lets the database look at the work anew, after it has grown faster than it noticed. */
  refreshStatistics(): Promise<void>;
  saveProgress(updates: readonly ProgressUpdate[]): Promise<void>;
  appendLogs(lines: readonly LogLine[]): Promise<void>;
}
