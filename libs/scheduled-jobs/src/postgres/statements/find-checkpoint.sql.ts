import type { ItemKey } from '../../core/job/run-items.js';
import type { LedgerNames } from '../ledger-names.js';

export interface CheckpointRow {
  readonly items_name: string;
  readonly after_key: ItemKey | null;
  readonly done: boolean;
  readonly failures: number;
}

/**
 * Reads how far a walk over items has come.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: checkpoints_pk.
 * Params: $1 execution id, $2 items name.
 */
export const findCheckpointSql = ({ table }: LedgerNames): string => `
select items_name, after_key, done, failures
from ${table.checkpoints}
where execution_id = $1::bigint and items_name = $2`;
