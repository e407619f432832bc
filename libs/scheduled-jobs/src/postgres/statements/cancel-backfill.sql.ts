import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface CanceledBackfillRow {
  readonly job_name: string;
  /** False = it was canceled before. */
  readonly changed: boolean;
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
with given as materialized (
  select id, job_name, canceled_at is null as changed
  from ${table.backfills}
  where id = $1::bigint
  for no key update
),
canceled as (
  update ${table.backfills}
  set canceled_at = ${boundNow(4)}, canceled_by = $2, cancel_reason = $3
  where id = any (array(select id from given where changed))
)
select job_name, changed from given`;
