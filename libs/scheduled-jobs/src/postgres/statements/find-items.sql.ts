import type { LedgerNames } from '../ledger-names.js';

export interface ItemRow {
  readonly items_name: string;
  readonly item_key: string;
  readonly lease_token: string;
  readonly failed_at: Date;
  readonly error_class: string;
  readonly error_code: string | null;
  readonly error_message: string;
  readonly error_stack: string | null;
  readonly error_fingerprint: string;
}

/**
 * Lists the failed items of an execution by items name and key.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: items_pk.
 * Params: $1 execution id, $2 behind this items name (null = from the start), $3 and this key, $4 limit.
 */
export const findItemsSql = ({ table }: LedgerNames): string => `
select
  items_name, item_key, lease_token::text as lease_token, failed_at, error_class, error_code, error_message, error_stack,
  error_fingerprint
from ${table.items}
where execution_id = $1::bigint and ($2::text is null or (items_name, item_key) > ($2, $3::text))
order by items_name, item_key
limit $4::int`;
