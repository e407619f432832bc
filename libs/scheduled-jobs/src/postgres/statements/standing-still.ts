import type { LedgerNames } from '../ledger-names.js';

/**
 * The condition under which no tick may look at the schedule `s`: it has another name now, or a suspension that goes on
 * began before its next occurrence. What was due before the suspension is still recorded.
 */
export const isStandingStill = ({ table }: LedgerNames): string => `(
  s.renamed_to is not null
  or exists (
    select 1
    from ${table.suspensions} x
    where x.job_name = s.job_name and x.to_at is null and x.from_at < s.next_at
  ))`;
