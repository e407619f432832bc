import type { ExecutionState, SkippedRangeReason, SuspensionKind } from '../execution/execution-state.js';
import type { RecordName } from './period-records.js';
import type { ScheduleVersion } from './schedule-store.js';

/** A schedule with what its periods are judged by. */
export interface ScheduleStanding {
  readonly jobName: string;
  /** Every occurrence up to this instant is recorded. */
  readonly cursorAt: Date;
  /** It has no periods before this instant: right after its first version began, or that of its first recorded period. */
  readonly knownFrom: Date;
  /** Why it stands still; null = it goes on. */
  readonly suspension: { readonly kind: SuspensionKind; readonly from: Date } | null;
  /** All, in order. */
  readonly versions: readonly ScheduleVersion[];
  readonly earlierNames: readonly RecordName[];
  /** In order: those that touch the window, recorded under earlier names included; at most 1,000. */
  readonly skippedRanges: readonly { readonly from: Date; readonly to: Date; readonly reason: SkippedRangeReason }[];
  readonly now: Date;
}

/** Which schedules to read. */
export interface StandingRequest {
  /** Null = all that go on under their names. */
  readonly names: readonly string[] | null;
  /** Only those behind this name; null = from the start. */
  readonly afterName: string | null;
  /** Schedules at most. */
  readonly limit: number;
  /** Skipped ranges that touch this window. */
  readonly from: Date;
  readonly to: Date;
  readonly now: Date | null;
}

/** What the ledger has under a key; `executionId` null = nothing, `state` null = an execution that retention removed. */
export interface RecordedPeriod {
  readonly executionId: string | null;
  readonly state: ExecutionState | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly durationMs: number | null;
}

/** Reads what there is of periods. */
export interface PeriodReader {
  /** By name. */
  standings(request: StandingRequest): Promise<readonly ScheduleStanding[]>;
  /** One answer per key, in the order given; at most 10,000 keys. */
  ofKeys(keys: readonly string[], now: Date | null): Promise<readonly RecordedPeriod[]>;
}
