import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

const NOW = `date_trunc('milliseconds', ${boundNow(2)})`;

/**
 * Ends the pause of a queue and tells workers that its executions may run. Without a pause it changes nothing and gives the
 * present.
 *
 * Fenced: by the row of the queue.
 * Locks: one row of queues; waits for a transaction that pauses or resumes it.
 * Index: queues_pk.
 * Params: $1 queue, $2 now, $3 channel to send a hint on.
 */
export const resumeQueueSql = ({ table }: LedgerNames): string => `
with resumed as (
  update ${table.queues}
  set paused_at = null, paused_by = null, pause_reason = null
  where name = $1 and paused_at is not null
  returning name
)
select ${NOW} as at, true as changed, pg_notify($3, '')::text as hint
from resumed
union all
select ${NOW}, false, null
where not exists (select 1 from resumed)`;
