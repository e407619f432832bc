import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Pauses a queue from now on; a pause that goes on stays as it is. No row: it was resumed at the same moment, which the
 * next look sees.
 *
 * Fenced: by the row of the queue.
 * Locks: one row of queues; waits for claims of the queue, which are short.
 * Index: queues_pk.
 * Params: $1 queue, $2 actor, $3 reason, $4 now.
 * The instant is cut to milliseconds, so that it equals what JavaScript reads back.
 */
export const pauseQueueSql = ({ table }: LedgerNames): string => `
with paused as (
  insert into ${table.queues} as q (name, paused_at, paused_by, pause_reason)
  values ($1, date_trunc('milliseconds', ${boundNow(4)}), $2, $3)
  on conflict (name) do update
  set paused_at = excluded.paused_at, paused_by = excluded.paused_by, pause_reason = excluded.pause_reason
  where q.paused_at is null
  returning paused_at
)
select paused_at as at, true as changed
from paused
union all
select paused_at, false
from ${table.queues}
where name = $1 and paused_at is not null and not exists (select 1 from paused)`;
