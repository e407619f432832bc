import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Records a backfill whose executions are about to be inserted; what became of its periods is counted afterwards.
 *
 * Fenced: no; the schedule's row is locked, so that no two backfills of a job are written at once.
 * Locks: a new row of backfills.
 * Index: backfills_pk.
 * Params: $1 job name, $2 from, $3 to, $4 order, $5 periods, $6 actor, $7 reason, $8 now.
 */
export const insertBackfillSql = ({ table }: LedgerNames): string => `
insert into ${table.backfills} (
  job_name, from_at, to_at, direction, occurrences, inserted, existing, pruned, actor, reason, created_at)
values ($1, $2, $3, $4, $5, 0, 0, 0, $6, $7, ${boundNow(8)})
returning id::text as id`;
