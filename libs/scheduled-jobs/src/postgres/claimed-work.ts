import type { Interval } from '../core/calendar/schedule.js';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import type { Trigger } from '../core/execution/execution-state.js';
import { instantOf } from './database/column-values.js';
import type { ClaimedRow } from './statements/claim-work.sql.js';

/** An execution as the row of its claim tells it. */
export class ClaimedWork implements ClaimedExecution {
  readonly executionId: string;
  readonly leaseToken: string;
  readonly key: string;
  readonly jobName: string;
  readonly period: string | null;
  readonly interval: Interval | null;
  readonly scheduledFor: Date;
  readonly payload: unknown;
  readonly trigger: Trigger;
  readonly traceParent: string | null;
  readonly queue: string;
  readonly concurrencyKey: string | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly leaseMs: number;
  readonly deadlineAt: Date | null;
  readonly claimedAt: Date;
  readonly isLastChance: boolean;

  /** @param claimedAt One for all rows of a claim. */
  constructor(row: ClaimedRow, claimedAt: Date) {
    this.executionId = row.id;
    this.leaseToken = row.token;
    this.key = row.key;
    this.jobName = row.job_name;
    this.period = row.period;
    this.interval =
      row.interval_start_s === null || row.interval_end_s === null
        ? null
        : { start: instantOf(row.interval_start_s), end: instantOf(row.interval_end_s) };
    this.scheduledFor = instantOf(row.scheduled_for_s);
    this.payload = row.payload;
    this.trigger = row.trigger;
    this.traceParent = row.trace_parent;
    this.queue = row.queue;
    this.concurrencyKey = row.concurrency_key;
    this.attempt = row.attempt;
    this.maxAttempts = row.max_attempts;
    this.leaseMs = row.lease_ms;
    this.deadlineAt = row.deadline_s === null ? null : instantOf(row.deadline_s);
    this.claimedAt = claimedAt;
    this.isLastChance = row.last_chance;
  }
}
