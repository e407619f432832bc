import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface CanceledBackfillRow {
  readonly job_name: string;
}

/**
 * Records who canceled a backfill, when and why; a second cancel leaves the first one on record.
 *
 * Fenced: no, the first one wins.
 * Locks: the row of the backfill.
 * Index: backfills_pk.
 * Params: $1 id, $2 actor, $3 reason, $4 now.
 */
export const cancelBackfillSql = ({ table }: LedgerNames): string => `
update ${table.backfills}
set
  canceled_at = coalesce(canceled_at, ${boundNow(4)}),
  canceled_by = case when canceled_at is null then $2 else canceled_by end,
  cancel_reason = case when canceled_at is null then $3 else cancel_reason end
where id = $1::bigint
returning job_name`;
