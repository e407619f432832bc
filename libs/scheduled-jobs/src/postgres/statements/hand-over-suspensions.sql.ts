import type { LedgerNames } from '../ledger-names.js';

/**
 * Lets schedules that go on under a new name stand still as they did under the old one: what is suspended stays suspended,
 * and what is behind the cursor is decided by the same stretches. The old name keeps its suspensions, so that its waiting
 * executions stay where they are.
 *
 * Fenced: by the schedules' row locks, which the registration already holds.
 * Locks: new rows of suspensions.
 * Index: schedules_pk, suspensions_browse, suspensions_open.
 * Params: $1 old schedule names, $2 their new names.
 */
export const handOverSuspensionsSql = ({ table }: LedgerNames): string => `
insert into ${table.suspensions} (job_name, kind, from_at, to_at, catch_up, actor, reason, ended_by, end_reason)
select g.new_name, x.kind, x.from_at, x.to_at, x.catch_up, x.actor, x.reason, x.ended_by, x.end_reason
from unnest($1::text[], $2::text[]) as g(old_name, new_name)
join ${table.schedules} s on s.schedule_name = g.new_name
join ${table.suspensions} x on x.job_name = g.old_name and (x.to_at is null or x.to_at > s.cursor_at)
where not exists (
  select 1
  from ${table.suspensions} own
  where own.job_name = g.new_name and own.kind = x.kind and own.from_at = x.from_at
)
order by x.id
on conflict do nothing`;
