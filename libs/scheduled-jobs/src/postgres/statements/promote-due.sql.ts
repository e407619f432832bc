import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Makes delayed work whose time has come claimable; work with a concurrency key and no slot yet waits for one.
 *
 * Fenced: no, delayed work has no lease.
 * Locks: work rows by run time, skip locked; never waits.
 * Index: work_delayed.
 * Params: $1 now, $2 limit.
 */
export const promoteDueSql = ({ table }: LedgerNames): string => `
with due as materialized (
  select execution_id
  from ${table.work}
  where phase = 'delayed' and run_at <= ${boundNow(1)}
  order by run_at
  limit $2
  for update skip locked
)
update ${table.work} w
set phase = case when w.concurrency_key is null or w.slot is not null then 'ready' else 'waiting' end
where w.execution_id = any (array(select execution_id from due))
returning w.execution_id::text as id`;
