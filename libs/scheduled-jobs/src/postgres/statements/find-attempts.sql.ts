import type { AttemptOutcome } from '../../core/execution/execution-state.js';
import type { ErrorKind } from '../../core/execution/judgement.js';
import type { LedgerNames } from '../ledger-names.js';

export interface AttemptRow {
  readonly lease_token: string;
  readonly attempt: number;
  readonly worker_id: string | null;
  readonly started_at: Date;
  readonly finished_at: Date;
  readonly outcome: AttemptOutcome;
  readonly processed: string | null;
  readonly failed: string | null;
  readonly skipped: string | null;
  readonly error_class: string | null;
  readonly error_code: string | null;
  readonly error_kind: ErrorKind | null;
  readonly error_message: string | null;
  readonly error_stack: string | null;
}

/**
 * Lists the attempts of an execution, oldest first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: attempts_pk.
 * Params: $1 execution id, $2 behind this lease token (null = from the start), $3 limit.
 */
export const findAttemptsSql = ({ table }: LedgerNames): string => `
select
  a.lease_token::text as lease_token, attempt, worker_id, started_at, finished_at, outcome, processed, failed, skipped,
  error_class, error_code, error_kind, error_message, error_stack
from ${table.attempts} a
where execution_id = $1::bigint and lease_token > coalesce($2::bigint, -1)
order by a.lease_token
limit $3::int`;
