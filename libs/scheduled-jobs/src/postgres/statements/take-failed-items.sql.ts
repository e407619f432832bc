import type { LedgerNames } from '../ledger-names.js';

/**
 * Takes the next failed items out that are to be handled again. An item that has failed again since has a greater token and
 * stays.
 *
 * Fenced: by the run's transaction, whose last statement is the fence.
 * Locks: rows that no other lease touches, unless its holder is frozen: then until the server ends its transaction.
 * Index: items_pk from the key on.
 * Params: $1 execution id, $2 items name, $3 greatest token, $4 behind this key, $5 only these keys (null = any), $6 limit.
 */
export const takeFailedItemsSql = ({ table }: LedgerNames): string => `
with taken as (
  delete from ${table.items}
  where execution_id = $1::bigint and items_name = $2::text and item_key = any (array(
    select i.item_key
    from ${table.items} i
    where i.execution_id = $1::bigint and i.items_name = $2::text
      and i.lease_token <= $3::bigint
      and i.item_key > $4::text
      and ($5::text[] is null or i.item_key = any ($5))
    order by i.item_key
    limit $6::int))
  returning item_key, is_number
)
select item_key, is_number
from taken
order by item_key`;
