import type { LedgerNames } from '../ledger-names.js';

/**
 * Tells in the caller's transaction whether a named lease is still held; no row = it is lost.
 *
 * Fenced: it is the fence: name, token and time that is not over. The time is that of the clock, because now() is the
 * beginning of the transaction.
 * Locks: its row, for key share, until the end of the transaction: renewals pass, nobody takes, frees or removes it. A
 * process that freezes behind the fence must not keep it for ever, so the server ends its transaction; a setting of the
 * host's own stands.
 * Index: leases_pk.
 * Params: $1 name, $2 token, $3 time to live in ms, $4 now.
 */
export const fenceLeaseSql = ({ table }: LedgerNames): string => `
with held as materialized (
  select name
  from ${table.leases}
  where name = $1 and lease_token = $2::bigint and lease_until > coalesce($4::timestamptz, clock_timestamp())
  for key share
)
select
  case current_setting('idle_in_transaction_session_timeout')
    when '0' then set_config('idle_in_transaction_session_timeout', $3::int::text, true)
  end as idle_ms
from held`;
