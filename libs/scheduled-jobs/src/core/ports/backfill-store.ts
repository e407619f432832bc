import type { ExecutionState } from '../execution/execution-state.js';
import type { NewExecution } from '../execution/new-execution.js';
import type { Page } from './ledger-reader.js';
import type { OperatorRequest } from './operator-request.js';
import type { RecordName } from './period-records.js';

/** In which order the periods of a backfill run. */
export const BACKFILL_ORDERS = ['oldest-first', 'newest-first'] as const;
export type BackfillOrder = (typeof BACKFILL_ORDERS)[number];

/**
 * How a backfill stands: `open` = executions of it wait or run, `done` = none does any more, `canceled` = somebody has canceled
 * it, even while what had started of it goes on.
 */
export const BACKFILL_STATES = ['open', 'done', 'canceled'] as const;
export type BackfillState = (typeof BACKFILL_STATES)[number];

/** A backfill about to be written. */
export interface NewBackfill {
  readonly jobName: string;
  /** The number of the newest version of the schedule that its periods were made from. */
  readonly version: number;
  /** The first and the last instant asked for, both inclusive. */
  readonly from: Date;
  readonly to: Date;
  readonly order: BackfillOrder;
  readonly actor: string | null;
  readonly reason: string | null;
  /** In the order in which they are to run, at most 100,000. */
  readonly executions: readonly NewExecution[];
  /** Names under which the job's periods may have been executed before, beside its own. */
  readonly earlierNames: readonly RecordName[];
}

/** A backfill and how far it has come. */
export interface Backfill {
  readonly backfillId: string;
  readonly jobName: string;
  readonly from: Date;
  readonly to: Date;
  readonly order: BackfillOrder;
  /** Periods in the range = inserted + existing + pruned. */
  readonly occurrences: number;
  /** Periods that became executions of this backfill. */
  readonly inserted: number;
  /** Periods that had an execution already, in whatever state: a failed or canceled one, too. */
  readonly existing: number;
  /** Periods whose execution was removed by retention: they count as done. */
  readonly pruned: number;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly canceledAt: Date | null;
  readonly canceledBy: string | null;
  readonly cancelReason: string | null;
  /** Executions of this backfill by state; states that none is in are left out, and so are pruned executions. */
  readonly states: Readonly<Partial<Record<ExecutionState, number>>>;
  /** Of the executions that this backfill inserted none waits or runs any more, however they ended. */
  readonly done: boolean;
  readonly state: BackfillState;
}

/** How many executions of a backfill have ended, those that retention has removed since included. */
export const endedOf = ({ inserted, states }: Pick<Backfill, 'inserted' | 'states'>): number =>
  inserted - (states.pending ?? 0) - (states.running ?? 0) - (states.retrying ?? 0);

/** Which backfills to list. Members left out do not filter. */
export interface BackfillQuery {
  readonly job?: string;
  readonly state?: BackfillState;
  /** 1 … 200, default 50. */
  readonly limit?: number;
  /** The `nextCursor` of a page with the same filter. */
  readonly cursor?: string;
}

/** A backfill that was canceled, by this call or before. */
export interface CanceledBackfill extends Backfill {
  /** Executions that this call canceled. */
  readonly canceledNow: number;
}

/** Backfills. */
export interface BackfillStore {
  /**
   * Inserts a backfill with its executions, all or none, in the given order; a period whose key was used before, by
   * whomever, gives none. No tick of the schedule runs meanwhile.
   * @returns Null = the schedule has got a newer version or another one took over, and nothing was written: plan again.
   */
  insert(backfill: NewBackfill, now: Date | null): Promise<Backfill | null>;
  /** Null = no backfill has this id. */
  find(backfillId: string): Promise<Backfill | null>;
  /**
   * One page, newest first. It counts the executions of each by state, 100,000 in all: behind that a page ends early. By the
   * states `open` and `done` it looks at 200 backfills, so that a page may be short, or empty, and have a next one.
   * @throws InvalidQueryError when a filter, the limit or the cursor cannot work, or a filter does not exist.
   */
  list(query: BackfillQuery): Promise<Page<Backfill>>;
  /**
   * Cancels what has not started; running executions go on to their end. Safe to call twice: the first one is on record.
   * @returns Null = no backfill has this id.
   */
  cancel(backfillId: string, request: OperatorRequest): Promise<CanceledBackfill | null>;
}
