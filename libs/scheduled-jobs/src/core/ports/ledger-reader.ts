import type { Interval } from '../calendar/schedule.js';
import type { AttemptOutcome, ExecutionState, FinalState, Trigger } from '../execution/execution-state.js';
import type { Counts } from '../execution/counts.js';
import type { ErrorKind } from '../execution/judgement.js';
import type { ScheduleVersion, SkippedRange } from './schedule-store.js';
import type { Suspension } from './suspension-store.js';
import type { LogLine } from './work-store.js';

/** Which executions to list. Members left out do not filter. */
export interface ExecutionQuery {
  readonly job?: string;
  /** Any of these states. */
  readonly states?: readonly ExecutionState[];
  readonly queue?: string;
  /** Executions that this worker runs or made an attempt of. */
  readonly worker?: string;
  readonly trigger?: Trigger;
  readonly period?: string;
  /** Executions that failed with this kind of error: the `fingerprint` of a recorded error. */
  readonly fingerprint?: string;
  /** `scheduledFor` at or after this instant. */
  readonly from?: Date;
  /** `scheduledFor` before this instant. */
  readonly to?: Date;
  /** Milliseconds of the last attempt, or of the current one so far. */
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  readonly minAttempts?: number;
  /** 1 … 200, default 50. */
  readonly limit?: number;
  /** The `nextCursor` of a page with the same filter. */
  readonly cursor?: string;
}

/** Which dead letters to list. */
export type DeadLetterQuery = Omit<ExecutionQuery, 'states'>;

/** One page; `nextCursor` is null on the last one, whatever `items` holds. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Which part of a list to read. */
export interface PageRequest {
  /** The `nextCursor` of the page before; null = from the start. */
  readonly after?: string | null;
  /** 1 … 200, default 50. */
  readonly limit?: number;
}

/** One execution in a list. */
export interface ExecutionSummary {
  readonly executionId: string;
  readonly key: string;
  readonly jobName: string;
  readonly period: string | null;
  readonly state: ExecutionState;
  /** Why it was skipped, or `deadline` when only that failed it. */
  readonly reason: string | null;
  readonly queue: string;
  readonly priority: number;
  readonly trigger: Trigger;
  readonly actor: string | null;
  readonly scheduledFor: Date;
  readonly createdAt: Date;
  /** When it may run, while it has not ended. */
  readonly runAt: Date | null;
  readonly firstStartedAt: Date | null;
  /** The start of the last attempt. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** From `scheduledFor` to the first start. */
  readonly startDelayMs: number | null;
  /** From the start of the last attempt to its end, or until now. */
  readonly durationMs: number | null;
  /** Counted calls of the handler. */
  readonly attempts: number;
  readonly lostLeases: number;
  /** The worker that holds its lease, or else made the last attempt. */
  readonly workerId: string | null;
  readonly stage: string | null;
  readonly percent: number | null;
  readonly counts: Counts;
  /** Of the failure, or of the last attempt so far. */
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  /** What that error says about another attempt. */
  readonly errorKind: ErrorKind | null;
}

/** An error as it was recorded; message and stack are those of the last attempt that had one. */
export interface RecordedError {
  readonly errorClass: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly stack: string | null;
  readonly fingerprint: string | null;
}

/** Everything about one execution but its lists. */
export interface ExecutionDetail extends ExecutionSummary {
  readonly interval: Interval | null;
  readonly payload: unknown;
  readonly result: unknown;
  readonly resultNote: string | null;
  readonly error: RecordedError | null;
  /** Of its job: text or URL. */
  readonly runbook: string | null;
  readonly concurrencyKey: string | null;
  readonly maxAttempts: number;
  readonly leaseToken: string | null;
  readonly leaseUntil: Date | null;
  readonly deadlineAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  /** The id of the execution that was in its way (`skipped` by `overlap`) or replaced it (`superseded`, or `canceled` so). */
  readonly blockedBy: string | null;
  /** The key of that one, while it is kept. */
  readonly blockedByKey: string | null;
  /** The backfill that made it; null = it was made otherwise. */
  readonly backfillId: string | null;
  /** Who acknowledged its failure; null = nobody has. */
  readonly acknowledged: Omit<OperatorNote, 'reason'> | null;
  /**
   * Who asked first that it be canceled, since its last replay; null = nobody has, or its backfill was canceled. What a newer
   * one replaced has no actor, and a reason that names that one.
   */
  readonly canceledBy: OperatorNote | null;
}

/** Who did something by hand, when and why. */
export interface OperatorNote {
  readonly at: Date;
  readonly actor: string | null;
  readonly reason: string | null;
}

/** One call of the handler. */
export interface AttemptDetail {
  readonly leaseToken: string;
  /** Calls that do not count share the number of the next one. */
  readonly attempt: number;
  readonly workerId: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly counts: Counts;
  readonly error: Omit<RecordedError, 'fingerprint'> | null;
  readonly errorKind: ErrorKind | null;
}

/** A kept log line. */
export type LogEntry = Pick<LogLine, 'leaseToken' | 'lineNo' | 'at' | 'level' | 'message'> & {
  readonly fields: unknown;
};

/** A finished step. */
export interface StepDetail {
  readonly stepName: string;
  /** Of the attempt that did it. */
  readonly leaseToken: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly durationMs: number;
  /** What it gave, without secrets: six levels, 100 members each. */
  readonly result: unknown;
}

/** An item that failed for good. */
export interface ItemFailure {
  readonly itemsName: string;
  readonly itemKey: string;
  readonly leaseToken: string;
  readonly failedAt: Date;
  readonly error: RecordedError;
}

/** Why an execution is not running, or what it does. */
export type Standing =
  | { readonly kind: 'not-due'; readonly until: Date }
  | {
      readonly kind: 'retrying';
      readonly at: Date;
      readonly attempt: number;
      readonly maxAttempts: number;
      /** How the last attempt ended; `deferred` = the handler asked for another call later. */
      readonly after: AttemptOutcome;
    }
  | {
      readonly kind: 'waiting-for-slot';
      readonly concurrencyKey: string;
      /** At most ten keys of executions that hold its slots; empty = it is admitted at the next poll. */
      readonly heldBy: readonly string[];
      /** How many get a slot first or have one, counted up to 10,000. */
      readonly ahead: number;
      readonly unserved: boolean;
    }
  | {
      readonly kind: 'queued';
      readonly queue: string;
      /** How many come first, counted up to 10,000. */
      readonly ahead: number;
      /** It could have run for 30 s, and no worker holds anything of its queue or its concurrency key. */
      readonly unserved: boolean;
    }
  | {
      /** Nobody may claim it before its queue is resumed. */
      readonly kind: 'queue-paused';
      readonly queue: string;
      readonly since: Date;
      readonly actor: string | null;
      readonly reason: string | null;
    }
  | {
      /** As many executions of its queue run as may run at the same time. */
      readonly kind: 'queue-full';
      readonly queue: string;
      readonly concurrency: number;
      readonly ahead: number;
    }
  | {
      /** No more of its queue may start before this time, and then those ahead. */
      readonly kind: 'rate-limited';
      readonly queue: string;
      readonly until: Date;
      readonly ahead: number;
    }
  | {
      /** The breaker of its queue lets nothing through before this time; null = probes are running. */
      readonly kind: 'breaker-open';
      readonly queue: string;
      readonly until: Date | null;
      readonly ahead: number;
    }
  | {
      /** Nobody may claim it before its job is resumed. */
      readonly kind: 'paused';
      readonly since: Date;
      readonly actor: string | null;
      readonly reason: string | null;
    }
  | {
      /** No live worker has its handler. */
      readonly kind: 'unhandled';
      readonly jobName: string;
      /** When the last one was seen, or the job was registered. */
      readonly since: Date;
    }
  | { readonly kind: 'claimed'; readonly workerId: string; readonly leaseUntil: Date }
  | { readonly kind: 'running'; readonly workerId: string; readonly since: Date; readonly cancelRequested: boolean }
  | {
      readonly kind: 'ended';
      readonly state: FinalState;
      readonly reason: string | null;
      readonly finishedAt: Date;
      readonly attempts: number;
      /** How many items its attempts counted as failed; its list of items tells which and why. */
      readonly failedItems: number;
      /** The key of the execution that was in its way or replaced it, while that one is kept. */
      readonly blockedBy: string | null;
      /** Only of `failed`; the message's first line, at most 500 bytes. */
      readonly errorClass: string | null;
      readonly errorCode: string | null;
      readonly errorMessage: string | null;
      /** The backfill with which it was canceled, by whom and why; null = it ended otherwise. */
      readonly canceledBackfill: {
        readonly backfillId: string;
        readonly actor: string | null;
        readonly reason: string | null;
      } | null;
      /** Who canceled it alone; null = it ended otherwise. */
      readonly canceledBy: OperatorNote | null;
      /** Who acknowledged its failure; null = nobody has. */
      readonly acknowledged: Omit<OperatorNote, 'reason'> | null;
    };

/** An execution's standing, and the same as a sentence for people. */
export interface Explanation {
  readonly executionId: string;
  readonly key: string;
  readonly standing: Standing;
  readonly text: string;
}

/** One schedule in a list. */
export interface ScheduleSummary {
  readonly scheduleName: string;
  readonly jobName: string;
  readonly version: number;
  readonly expression: string;
  readonly timeZone: string;
  /** The stored options of the newest version, see `ScheduleVersion`. */
  readonly shape: ScheduleVersion['shape'];
  readonly disabled: boolean;
  /** The suspension that it is in, a pause before orphanhood; null = none. */
  readonly suspension: Suspension | null;
  /** The name under which it goes on; null = this one. */
  readonly renamedTo: string | null;
  /** Every occurrence up to this instant is recorded. */
  readonly cursorAt: Date;
  /** Null = it never fires again. Before the first tick it is the cursor. */
  readonly nextAt: Date | null;
  /**
   * Milliseconds for which `nextAt` has been due; null = it is not, or the schedule stands still. Longer than a tick
   * interval: no scheduler keeps up.
   */
  readonly behindMs: number | null;
  readonly lastError: string | null;
  readonly retryAt: Date | null;
  /** The newest recorded occurrence. */
  readonly last: { readonly executionId: string; readonly period: string | null; readonly scheduledFor: Date } | null;
}

/** One schedule with its history. */
export interface ScheduleDetail extends ScheduleSummary {
  /** Newest first, at most 50. */
  readonly versions: readonly ScheduleVersion[];
  /** Newest first, at most 50. */
  readonly skippedRanges: readonly (SkippedRange & { readonly createdAt: Date })[];
  /** Newest first, at most 50. */
  readonly suspensions: readonly (Suspension & {
    /** Who ended it; null = it goes on, or nobody in particular did. */
    readonly endedBy: string | null;
    readonly endReason: string | null;
  })[];
}

/** Reads the ledger. Ids and counts beyond 2⁵³ are strings; `now` null = the database's time. */
export interface LedgerReader {
  /**
   * Newest id first; with `job` alone (and `from`, `to`) by `scheduledFor`, then id, newest first. Where no index serves the
   * filter, a page is what fits among the next 10,000 executions: it may be short, or empty, and have a next one.
   * @param defaultFrom The `from` of a query without one.
   * @throws InvalidQueryError when a filter or the limit is out of range, or the cursor belongs to another filter.
   */
  find(query: ExecutionQuery, now: Date | null, defaultFrom?: Date): Promise<Page<ExecutionSummary>>;
  /**
   * Failures that nobody has acknowledged, newest id first; pages as of `find`.
   * @throws InvalidQueryError as `find`.
   */
  deadLetters(query: DeadLetterQuery, now: Date | null): Promise<Page<ExecutionSummary>>;
  /** Null = no execution has this key or id. */
  get(keyOrId: string, now: Date | null): Promise<ExecutionDetail | null>;
  /** Why it is not running; null = no execution has this key or id. */
  why(keyOrId: string, now: Date | null): Promise<Explanation | null>;
  /** @throws InvalidQueryError when the limit is out of range or `after` is no cursor of this list; also below. */
  attempts(executionId: string, page?: PageRequest): Promise<Page<AttemptDetail>>;
  /** In the order they were written. */
  logs(executionId: string, page?: PageRequest): Promise<Page<LogEntry>>;
  /** In the order of their ends. */
  steps(executionId: string, page?: PageRequest): Promise<Page<StepDetail>>;
  /** By items name and key. */
  items(executionId: string, page?: PageRequest): Promise<Page<ItemFailure>>;
  /**
   * 1,000 schedules by name, and the cursor behind them.
   * @throws InvalidQueryError when the cursor is none of this list.
   */
  schedulePage(cursor: string | null, now?: Date | null): Promise<Page<ScheduleSummary>>;
  /** All of them by name, read page by page. */
  schedules(now?: Date | null): Promise<readonly ScheduleSummary[]>;
  schedule(name: string, now?: Date | null): Promise<ScheduleDetail | null>;
}
