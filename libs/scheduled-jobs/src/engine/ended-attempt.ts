import type { AttemptError, AttemptRecord } from '../core/execution/attempt-record.js';
import type { Counts } from '../core/execution/counts.js';
import type { StoredResult } from '../core/execution/result.js';
import type { Settlement } from '../core/execution/settlement.js';
import type { Attempt } from './attempt.js';

/** How an attempt of this worker ended. */
export class EndedAttempt implements AttemptRecord {
  readonly executionId: string;
  readonly leaseToken: string;
  readonly disposition: Settlement['disposition'];
  readonly outcome: Settlement['outcome'];
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly runAt: Date | null;
  readonly reason: Settlement['reason'];
  readonly result: string | null;
  readonly resultNote: string | null;
  readonly counts: Counts;
  readonly error: AttemptError | null;

  constructor(
    { held, startedAt, counts }: Attempt,
    { disposition, outcome, runAt, reason }: Settlement,
    { finishedAt, result, error }: EndingFacts,
  ) {
    this.executionId = held.lease.executionId;
    this.leaseToken = held.lease.leaseToken;
    this.disposition = disposition;
    this.outcome = outcome;
    this.startedAt = startedAt;
    this.finishedAt = finishedAt;
    this.runAt = runAt;
    this.reason = reason;
    this.result = result.json;
    this.resultNote = result.note;
    this.counts = counts;
    this.error = error;
  }
}

interface EndingFacts {
  readonly finishedAt: Date;
  readonly result: StoredResult;
  readonly error: AttemptError | null;
}
