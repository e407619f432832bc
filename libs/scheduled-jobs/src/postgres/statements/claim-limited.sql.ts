import type { LedgerNames } from '../ledger-names.js';
import { ASKED, claimText } from './claim-work.sql.js';
import { queueRoom } from './queue-room.js';

/** Not the time of the transaction, which may have begun before another one spent tokens at a later time. */
const CLOCK = 'coalesce($6::timestamptz, clock_timestamp())';

/**
 * Claims of queues that are limited, paused or have a breaker, as much as each has room for; all of it starts at once. A
 * clock that goes back neither takes tokens away nor gives any twice.
 *
 * Fenced: by the locks of the queues; it makes the fence of what it claims.
 * Locks: the queues must be locked by an earlier statement of the transaction. Then as the ordinary claim.
 * Index: as the ordinary claim; queues_pk; work_leased to count what runs.
 * Params: $1 worker, $2 queues, $3 how many to take of each, $4 the same, $5 handled jobs, $6 now,
 * $7 and $8 as the ordinary claim.
 */
export const claimLimitedSql = (names: LedgerNames): string =>
  claimText(names, {
    before: `room as materialized (
  select q.name as queue, least(r.room, ask.take_count) as take_count, r.tokens, clock.now
  from ${ASKED}
  join ${names.table.queues} q on q.name = ask.queue
  cross join (select ${CLOCK} as now) clock
  cross join ${queueRoom(names, 'clock.now')} r
),
`,
    asked: '(select queue, take_count, take_count as start_count from room) as ask',
    after: `,
spent as (
  update ${names.table.queues} q
  set
    tokens = greatest(r.tokens - (select count(*) from leased l where l.queue = q.name and not l.overdue), 0),
    refilled_at = greatest(q.refilled_at, r.now)
  from room r
  where q.name = r.queue and q.rate is not null and exists (select 1 from leased l where l.queue = q.name and not l.overdue)
)`,
  });
