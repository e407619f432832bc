import type { SuspensionKind } from '../execution/execution-state.js';
import type { OperatorRequest } from './operator-request.js';

/** A stretch in which a schedule stands still: after `from`, up to and including `to`. */
export interface Suspension {
  readonly kind: SuspensionKind;
  readonly from: Date;
  /** Null = it still does. */
  readonly to: Date | null;
  /** True = the catch-up policy decides about its occurrences, as after an outage; false = all are left out. */
  readonly catchUp: boolean;
  /** Who asked for it; null for an orphaned schedule. */
  readonly actor: string | null;
  readonly reason: string | null;
}

/** A resume, and what becomes of the periods since the pause. */
export interface ResumeRequest extends OperatorRequest {
  /** True = the catch-up policy decides about them; false = they are left out. */
  readonly catchUp: boolean;
}

/** How a job stands after a pause or a resume. */
export interface PauseResult {
  /** False = it was so already, and nothing has changed. */
  readonly changed: boolean;
  /** When the pause began, or ended; for a resume that found no pause the present. */
  readonly at: Date;
}

/** Pauses of jobs, schedules that nobody carries, and what becomes of executions that nobody may or can run. */
export interface SuspensionStore {
  /** From now on no worker claims executions of the job, and no tick makes one for a period after this moment. */
  pause(jobName: string, request: OperatorRequest): Promise<PauseResult>;
  /** Its periods since the pause are left out by the next tick or, with `catchUp`, given to the catch-up policy. */
  resume(jobName: string, request: ResumeRequest): Promise<PauseResult>;
  /** The pause that a job is in; null = none. */
  findPause(jobName: string): Promise<Suspension | null>;
  /**
   * Suspends schedules that no instance has carried for `forMs` while this one was looking, from when they were last
   * carried.
   * @param request `observingSince`: since when this process has been looking, by the database's clock.
   * @returns The names of those that are orphaned from now on.
   */
  suspendOrphans(request: {
    readonly forMs: number;
    readonly observingSince: Date;
    readonly now: Date | null;
  }): Promise<readonly string[]>;
  /**
   * Marks jobs that no worker has handled for `forMs` while this process was looking.
   * @returns The names of those that are unhandled from now on.
   */
  markUnhandled(request: {
    readonly forMs: number;
    readonly observingSince: Date;
    readonly now: Date | null;
  }): Promise<readonly string[]>;
  /** Moves executions of idle jobs, paused or unhandled, out of the heads of the queues; gives how many. */
  holdIdle(limit: number): Promise<number>;
}
