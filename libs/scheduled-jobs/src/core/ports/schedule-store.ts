import type { NewExecution } from '../execution/new-execution.js';
import type { SkippedRangeReason } from '../execution/execution-state.js';
import type { JobDefinition } from '../job/job-definition.js';
import type { Suspension } from './suspension-store.js';

/** The stored text of a schedule, in force from an instant on. Functions of a definition live in the code alone. */
export interface ScheduleVersion {
  readonly version: number;
  readonly validFrom: Date;
  readonly expression: string;
  readonly timeZone: string;
  /** The options that shape occurrences and labels: dst, period form, periodOf, exclude (functions as `custom`). */
  readonly shape: Readonly<Record<string, unknown>>;
}

/** A locked schedule whose next occurrence is due. */
export interface DueSchedule {
  readonly jobName: string;
  /** Every occurrence up to this instant is recorded. */
  readonly cursorAt: Date;
  /** The database's time (or the bound one) of this tick. */
  readonly now: Date;
  /** In order; the first is the one in force right after the cursor, the last the newest. */
  readonly versions: readonly [ScheduleVersion, ...ScheduleVersion[]];
  /** Those that end after the cursor or have not ended, in order. */
  readonly suspensions: readonly Suspension[];
}

/** A recorded stretch of left-out occurrences, `from` and `to` being the first and the last of them. */
export interface SkippedRange {
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
  readonly reason: SkippedRangeReason;
  /** Who wanted it so; null = nobody in particular. */
  readonly actor: string | null;
}

/** What one tick writes for one schedule. */
export interface SchedulePlan {
  readonly executions: readonly NewExecution[];
  /** What is left out comes before all that is executed. Null = nothing. */
  readonly skippedRange: SkippedRange | null;
  readonly cursorAt: Date;
  /** Null = it never fires again. */
  readonly nextAt: Date | null;
}

/** What one tick is asked to do. */
export interface TickRequest {
  readonly jobNames: readonly string[];
  /** Schedules that it locks at most. */
  readonly limit: number;
  readonly now: Date | null;
  /** Something is due for sure, so it does not look first. Default false. */
  readonly isDue?: boolean;
}

/** What one tick did. */
export interface TickSummary {
  /** Schedules whose cursor moved. */
  readonly schedules: number;
  readonly inserted: number;
  readonly skipped: number;
  /** Occurrences in skipped ranges. */
  readonly leftOut: number;
  readonly failures: readonly { readonly jobName: string; readonly error: unknown }[];
  /**
   * The next instant at which a schedule of this process is due, by the database's clock; null = none. `now` when there was
   * more than one batch.
   */
  readonly nextAt: Date | null;
  readonly now: Date;
}

/** A definition and what became of it in the ledger. */
export interface RegisteredSchedule {
  readonly jobName: string;
  /**
   * `added` = never seen before; `changed` = it is the newest version from now on; `left` = it equals a superseded version
   * (or has a smaller release) while instances with the newest one are alive, so that one stays in force; `renamed` = it
   * took over from an earlier name.
   */
  readonly change: 'added' | 'changed' | 'left' | 'renamed';
  /** The version in force. */
  readonly version: number;
  /** The names from which it took over: only of `renamed`. */
  readonly takenOver?: readonly string[];
}

/** Schedules, their cursors and versions. */
export interface ScheduleStore {
  /**
   * Writes the definitions of a process that starts: one row per job, one per schedule with its first cursor, one version
   * per changed definition, and that they are carried. Safe to call from many processes at once and again.
   * @param release The growing number of the release that the definitions belong to; null = none is given.
   * @returns Only the schedules that something is to be told about.
   */
  register(
    definitions: readonly JobDefinition[],
    now: Date | null,
    release?: number | null,
  ): Promise<readonly RegisteredSchedule[]>;
  /**
   * The same for the schedules of a process that goes on: notes that they are carried, ends their orphanhood, and adopts
   * definitions that were left alone once nobody carries the newest ones any more.
   */
  carry(
    definitions: readonly JobDefinition[],
    now: Date | null,
    release?: number | null,
  ): Promise<readonly RegisteredSchedule[]>;
  /**
   * One READ COMMITTED transaction: locks the due schedules among `jobNames`, asks `plan` for each, inserts executions and
   * moves the cursors. A schedule whose plan or insert fails keeps its cursor, gets `last_error` and a later retry, and
   * holds up no other. One whose plan is null is left to other processes.
   */
  tick(request: TickRequest, plan: (due: DueSchedule) => SchedulePlan | null): Promise<TickSummary>;
}
