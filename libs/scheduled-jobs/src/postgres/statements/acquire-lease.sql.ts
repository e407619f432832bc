import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface AcquiredLeaseRow {
  readonly token: string;
  readonly acquired_at: Date;
}

const NOW = boundNow(6);

/**
 * Takes a named lease that is free or whose time is over; no row = somebody holds it, or took it at the same moment.
 *
 * Fenced: no, it makes the fence. The token is drawn under the lock of the name: drawn earlier, it could be smaller than
 * that of a holder who came and went meanwhile.
 * Locks: the advisory lock of the name until the end of this one statement, so that a frozen process never keeps it; then
 * the row, skip locked: one that a transaction has fenced is left alone. Rows that began after the statement did are told
 * by the conflict.
 * Index: leases_pk.
 * Params: $1, $2 advisory lock, $3 name, $4 holder, $5 time to live in ms, $6 now.
 */
export const acquireLeaseSql = ({ table, leaseTokens }: LedgerNames): string => `
with alone as materialized (
  select pg_advisory_xact_lock($1::int, $2::int)::text as locked
),
over as materialized (
  select l.name
  from alone
  cross join ${table.leases} l
  where l.name = $3 and l.lease_until <= ${NOW}
  for update of l skip locked
),
taken as (
  update ${table.leases} l
  set
    lease_token = nextval('${leaseTokens}'), holder = $4, acquired_at = ${NOW},
    lease_until = ${NOW} + $5::int * interval '1 millisecond'
  where l.name = any (array(select name from over))
  returning l.lease_token, l.acquired_at
),
made as (
  insert into ${table.leases} (name, lease_token, holder, acquired_at, lease_until)
  select $3, nextval('${leaseTokens}'), $4, ${NOW}, ${NOW} + $5::int * interval '1 millisecond'
  from alone
  where not exists (select from over)
  on conflict do nothing
  returning lease_token, acquired_at
)
select lease_token::text as token, acquired_at from taken
union all
select lease_token::text as token, acquired_at from made`;
