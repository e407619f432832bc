import type { LedgerNames } from '../ledger-names.js';

export interface AdmissionRow {
  /** Work waits that the overlap policy of its job may drop. */
  readonly elective: boolean;
}

/**
 * Takes the admission lock, and tells whether overlap policies have anything to decide. A statement of its own: the next one
 * sees what the last holder committed. What it overlooks because it waited is not admitted this time.
 *
 * Fenced: no.
 * Locks: the admission lock, until the end of the transaction; waits for it.
 * Index: work_elective.
 * Params: $1, $2 the lock's two numbers, $3 concurrency keys.
 */
export const lockAdmissionSql = ({ table }: LedgerNames): string => `
select
  pg_advisory_xact_lock($1::int, $2::int)::text as locked,
  exists (
    select 1 from ${table.work} where phase = 'waiting' and elective and concurrency_key = any ($3::text[])
  ) as elective`;
