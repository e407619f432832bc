import type { LedgerNames } from '../ledger-names.js';

export interface ItemKeyRow {
  readonly item_key: string;
  readonly is_number: boolean;
}

export interface FrozenItemRow extends ItemKeyRow {
  readonly position: number;
}

/**
 * Takes the next stored keys of a set of items out. They leave together with the changes of their chunk, so that what is
 * stored is what is still to be handled.
 *
 * Fenced: by the run's transaction, whose last statement is the fence.
 * Locks: rows that no other lease touches, unless its holder is frozen: then until the server ends its transaction.
 * Index: frozen_items_pk from the position on.
 * Params: $1 execution id, $2 items name, $3 behind this position, $4 limit.
 */
export const takeFrozenItemsSql = ({ table }: LedgerNames): string => `
with taken as (
  delete from ${table.frozen_items}
  where execution_id = $1::bigint and items_name = $2::text and position = any (array(
    select f.position
    from ${table.frozen_items} f
    where f.execution_id = $1::bigint and f.items_name = $2::text and f.position > $3::int
    order by f.position
    limit $4::int))
  returning position, item_key, is_number
)
select position, item_key, is_number
from taken
order by position`;
