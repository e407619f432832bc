import type { LedgerNames } from '../ledger-names.js';

/**
 * Frees a named lease.
 *
 * Fenced: name and token, so that a former holder frees nobody else's.
 * Locks: its row, skip locked: while a transaction that has passed its fence is open, the lease is left to run out.
 * Index: leases_pk.
 * Params: $1 name, $2 token.
 */
export const releaseLeaseSql = ({ table }: LedgerNames): string => `
delete from ${table.leases}
where name = any (array(
  select name
  from ${table.leases}
  where name = $1 and lease_token = $2::bigint
  for update skip locked
))`;
