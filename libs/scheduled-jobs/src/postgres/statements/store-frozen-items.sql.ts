import type { LedgerNames } from '../ledger-names.js';

/**
 * Stores keys of a set of items behind those that are stored already.
 *
 * Fenced: by the run's transaction, whose last statement is the fence.
 * Locks: new rows that no other lease writes.
 * Index: frozen_items_pk.
 * Params: $1 execution id, $2 items name, $3 keys in order, $4 whether each is a number.
 */
export const storeFrozenItemsSql = ({ table }: LedgerNames): string => `
with last_one as materialized (
  select coalesce(max(position), 0) as position
  from ${table.frozen_items}
  where execution_id = $1::bigint and items_name = $2::text
),
stored as (
  insert into ${table.frozen_items} (execution_id, items_name, position, item_key, is_number)
  select $1::bigint, $2::text, (select position from last_one) + k.ord, k.item_key, k.is_number
  from unnest($3::text[], $4::boolean[]) with ordinality as k(item_key, is_number, ord)
  returning position
)
select max(position) as position
from stored`;
