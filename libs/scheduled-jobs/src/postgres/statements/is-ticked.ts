import type { LedgerNames } from '../ledger-names.js';

/**
 * The condition under which ticks look at the schedule `s`: it goes on under its name, and no suspension that goes on began
 * before its next occurrence. What was due before a suspension is still recorded.
 */
export const isTicked = ({ table }: LedgerNames): string => `s.renamed_to is null and not exists (
    select 1
    from ${table.suspensions} x
    where x.job_name = s.job_name and x.to_at is null and x.from_at < s.next_at
  )`;
