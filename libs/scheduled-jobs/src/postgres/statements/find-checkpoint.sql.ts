import type { ItemKey } from '../../core/job/run-items.js';
import type { Checkpoint } from '../../core/ports/run-transactions.js';
import type { LedgerNames } from '../ledger-names.js';

export interface CheckpointRow {
  readonly items_name: string;
  readonly after_key: ItemKey | null;
  readonly done: boolean;
  readonly failures: number;
  readonly frozen: Exclude<Checkpoint['frozen'], undefined> | null;
  readonly retry_up_to: string | null;
}

/**
 * Reads how far a walk over items has come, and up to which token its failed items are to be handled again: that of the last
 * attempt that completed with errors, behind which another attempt comes only after a replay.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: checkpoints_pk, attempts_pk.
 * Params: $1 execution id, $2 items name.
 */
export const findCheckpointSql = ({ table }: LedgerNames): string => `
select
  items_name, after_key, done, failures, frozen,
  (
    select max(a.lease_token)::text
    from ${table.attempts} a
    where a.execution_id = $1::bigint and a.outcome = 'completed_with_errors'
  ) as retry_up_to
from ${table.checkpoints}
where execution_id = $1::bigint and items_name = $2`;
