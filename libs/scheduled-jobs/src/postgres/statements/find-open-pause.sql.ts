import type { LedgerNames } from '../ledger-names.js';

/**
 * Reads the pause that a job is in.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: suspensions_open.
 * Params: $1 job.
 */
export const findOpenPauseSql = ({ table }: LedgerNames): string => `
select job_name, kind, from_at, to_at, catch_up, actor, reason
from ${table.suspensions}
where job_name = $1 and kind = 'paused' and to_at is null`;
