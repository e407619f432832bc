import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface LeaseHolderRow {
  readonly holder: string;
  readonly lease_until: Date;
  readonly now: Date;
}

/**
 * Tells who holds a named lease.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: leases_pk.
 * Params: $1 name, $2 now.
 */
export const findLeaseHolderSql = ({ table }: LedgerNames): string => `
select holder, lease_until, ${boundNow(2)} as now
from ${table.leases}
where name = $1`;
