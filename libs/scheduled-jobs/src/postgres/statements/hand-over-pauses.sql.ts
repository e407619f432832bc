import type { LedgerNames } from '../ledger-names.js';

/**
 * Lets jobs that are new under their name be paused as they are under an earlier one. The earlier name stays paused, so that
 * its waiting executions stay where they are.
 *
 * Fenced: by the unique open suspension of a job and kind.
 * Locks: new rows of suspensions.
 * Index: suspensions_open.
 * Params: $1 earlier job names, $2 the new name of each.
 */
export const handOverPausesSql = ({ table }: LedgerNames): string => `
insert into ${table.suspensions} (job_name, kind, from_at, actor, reason)
select g.new_name, x.kind, x.from_at, x.actor, x.reason
from unnest($1::text[], $2::text[]) as g(old_name, new_name)
join ${table.suspensions} x on x.job_name = g.old_name and x.kind = 'paused' and x.to_at is null
order by g.new_name
on conflict (job_name, kind) where to_at is null do nothing`;
