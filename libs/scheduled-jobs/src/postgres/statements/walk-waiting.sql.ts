import type { LedgerNames } from '../ledger-names.js';

/** How many concurrency keys one page of a walk looks at. */
export const KEYS_PER_WALK = 500;

export interface WalkedRow {
  /** In their order; null = another process holds the admission lock. */
  readonly keys: readonly string[] | null;
  /** Work waits under them that the overlap policy of its job may drop. */
  readonly elective: boolean;
}

/**
 * Takes the admission lock unless another process holds it, and finds the next concurrency keys under which work waits.
 *
 * Fenced: no.
 * Locks: the admission lock, until the end of the transaction; never waits. The case reads nothing without the lock.
 * Index: work_waiting, once per key; work_elective.
 * Params: $1, $2 the lock's two numbers, $3 walk behind this key, $4 keys per walk.
 */
export const walkWaitingSql = ({ table }: LedgerNames): string => `
with recursive walk as (
  (select concurrency_key, 1 as n
   from ${table.work}
   where phase = 'waiting' and concurrency_key > coalesce($3::text, '')
   order by concurrency_key
   limit 1)
  union all
  select
    (select w.concurrency_key
     from ${table.work} w
     where w.phase = 'waiting' and w.concurrency_key > walk.concurrency_key
     order by w.concurrency_key
     limit 1),
    n + 1
  from walk
  where walk.concurrency_key is not null and n < $4::int
),
page as materialized (
  select
    case
      when pg_try_advisory_xact_lock($1::int, $2::int)
        then array(select concurrency_key from walk where concurrency_key is not null order by concurrency_key)
    end as keys
)
select
  to_json(page.keys) as keys,
  exists (
    select 1 from ${table.work} w where w.phase = 'waiting' and w.elective and w.concurrency_key = any (page.keys)
  ) as elective
from page`;
