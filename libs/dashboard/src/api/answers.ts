// What the API answers, derived from the library's own types, so that the two cannot drift apart.
import type {
  AttemptOutcome,
  ErrorKind,
  ExecutionDetail as Detail,
  ExecutionState,
  ExecutionSummary as Summary,
} from 'nestjs-scheduled-jobs';
import type { ScheduleAnswer } from 'nestjs-scheduled-jobs/http';

/** A value as JSON carries it: instants are texts of RFC 3339. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Element)[]
    ? readonly Wire<Element>[]
    : T extends object
      ? { readonly [Member in keyof T]: Wire<T[Member]> }
      : T;

export type { AttemptOutcome, ExecutionState };

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type ExecutionSummary = Wire<Summary>;
export type ExecutionDetail = Wire<Detail> & {
  /** How people help themselves: a text or an address. */
  readonly runbook?: string | null;
};
/** One call of the handler. */
export interface Attempt {
  readonly leaseToken: string;
  readonly attempt: number;
  readonly workerId: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly error: { readonly errorClass: string | null; readonly message: string | null } | null;
  readonly errorKind: ErrorKind | null;
}

export type Schedule = Wire<ScheduleAnswer>;
