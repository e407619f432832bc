import type { Explanation, Standing } from '../../core/ports/ledger-reader.js';
import type { ExplanationRow } from '../statements/explain-execution.sql.js';

/** Why an execution is not running, or what it does, from what the ledger knows of it. */
export function explain(row: ExplanationRow): Explanation {
  const standing = endedStanding(row) ?? leasedStanding(row) ?? openStanding(row);
  return { executionId: row.id, key: row.key, standing, text: sentence(standing) };
}

function endedStanding({ state, reason, error_code, finished_at }: ExplanationRow): Standing | null {
  if (state === null || finished_at === null) return null;
  return { kind: 'ended', state, reason, errorCode: error_code, finishedAt: finished_at };
}

function leasedStanding(row: ExplanationRow): Standing | null {
  const { phase, worker_id: workerId, lease_until: leaseUntil, started_at: since } = row;
  if (phase !== 'leased' || workerId === null || leaseUntil === null) return null;
  if (since === null) return { kind: 'claimed', workerId, leaseUntil };
  return { kind: 'running', workerId, since, cancelRequested: row.cancel_requested === true };
}

function openStanding(row: ExplanationRow): Standing {
  if (row.phase === 'delayed' && row.is_due === false && row.run_at !== null) {
    const { attempt, max_attempts: maxAttempts, run_at: at } = row;
    return row.retrying === true
      ? { kind: 'retrying', at, attempt: (attempt ?? 0) + 1, maxAttempts: maxAttempts ?? 0 }
      : { kind: 'not-due', until: at };
  }
  if (row.concurrency_key !== null && row.slot === null) {
    return { kind: 'waiting-for-slot', concurrencyKey: row.concurrency_key, heldBy: row.held_by ?? [] };
  }
  return { kind: 'queued', queue: row.queue, ahead: row.ahead ?? 0 };
}

function sentence(standing: Standing): string {
  switch (standing.kind) {
    case 'not-due':
      return `It may not run before ${standing.until.toISOString()}.`;
    case 'retrying':
      return `It failed and is tried again at ${standing.at.toISOString()} (attempt ${standing.attempt} of ${standing.maxAttempts}).`;
    case 'waiting-for-slot':
      return standing.heldBy.length === 0
        ? `It waits to be admitted under "${standing.concurrencyKey}", which happens at the next poll of a worker.`
        : `It waits for a slot of "${standing.concurrencyKey}", held by ${standing.heldBy.map((key) => `"${key}"`).join(', ')}.`;
    case 'queued':
      return standing.ahead === 0
        ? `It is the next one in the queue "${standing.queue}". If it stays there, no running worker serves this queue and handles its job.`
        : `It waits in the queue "${standing.queue}" behind ${standing.ahead} other(s).`;
    case 'claimed':
      return `The worker ${standing.workerId} has claimed it and has not started it yet; its lease runs until ${standing.leaseUntil.toISOString()}.`;
    case 'running':
      return `It has been running on the worker ${standing.workerId} since ${standing.since.toISOString()}${standing.cancelRequested ? ' and was asked to stop' : ''}.`;
    case 'ended':
      return `It ended ${standing.state} at ${standing.finishedAt.toISOString()}${because(standing)}.`;
  }
}

const because = ({
  reason,
  errorCode,
}: {
  readonly reason: string | null;
  readonly errorCode: string | null;
}): string => (reason !== null ? ` because of ${reason}` : errorCode !== null ? ` with ${errorCode}` : '');
