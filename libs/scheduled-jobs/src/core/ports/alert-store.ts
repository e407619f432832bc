import type { Alert, AlertKind, AlertRule } from '../alert/alert.js';
import type { NewExecution } from '../execution/new-execution.js';
import type { Page } from './ledger-reader.js';

/** Which alerts to list. Members left out do not filter. */
export interface AlertQuery {
  readonly kind?: AlertKind;
  /** A job; of `backlog-age` a queue. */
  readonly subject?: string;
  /** True = levels that are passed still; false = what has happened, and levels that are below their limits again. */
  readonly open?: boolean;
  /** 1 … 200, default 50. */
  readonly limit?: number;
  /** The `nextCursor` of a page with the same filter. */
  readonly cursor?: string;
}

/** What raising is asked to do. */
export interface RaiseRequest {
  /** Alerts to raise at most; of missed periods also the schedules, and the periods of one, to judge at most. */
  readonly limit: number;
  /** Makes the execution that delivers an alert; null = none is delivered by an execution. */
  readonly delivery: ((alertId: string) => NewExecution) | null;
  readonly now: Date | null;
}

/** What raising did. */
export interface RaisedAlerts {
  readonly raised: number;
  /** Levels that are below their limit again. */
  readonly closed: readonly { readonly kind: AlertKind; readonly subject: string }[];
  /** There is more to judge at once. */
  readonly hasMore: boolean;
}

/** Facts that were told or are to be told. */
export interface AlertStore {
  /**
   * Judges what has happened since it was last judged, whoever did, and in one transaction writes each new fact as an
   * alert together with the execution that delivers it. The first call of a kind only notes from when on it is watched.
   */
  raise(rule: AlertRule, request: RaiseRequest): Promise<RaisedAlerts>;
  /**
   * Alerts that were not announced, the oldest first, for one process to announce within a minute; afterwards another one
   * gets them, again and again at growing distances for a day.
   */
  takeUnannounced(limit: number, now: Date | null): Promise<readonly Alert[]>;
  /** Notes that an alert was announced. */
  announced(alertId: string): Promise<void>;
  /** Null = there is none, or it is too old. */
  find(alertId: string): Promise<Alert | null>;
  /**
   * Newest first; closed ones are kept for 90 days.
   * @throws InvalidQueryError when a filter, the limit or the cursor cannot work.
   */
  list(query: AlertQuery): Promise<Page<Alert>>;
  /** Removes alerts that were closed more than 90 days ago, `limit` at most. */
  removeOld(limit: number, now: Date | null): Promise<number>;
}
