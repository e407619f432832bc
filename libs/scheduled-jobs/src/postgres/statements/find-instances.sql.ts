import type { InstanceRole } from '../../core/ports/instance-store.js';
import type { LedgerNames } from '../ledger-names.js';

export interface InstanceRow {
  readonly id: string;
  readonly roles: readonly InstanceRole[];
  readonly worker_id: string | null;
  readonly version: string;
  readonly definitions_digest: string;
  readonly zone_data: string | null;
  readonly started_at: Date;
  readonly seen_at: Date;
  readonly stopped_at: Date | null;
}

/**
 * Lists processes, the last seen first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none: one row a process, and few of those that have gone.
 * Params: $1 limit.
 */
export const findInstancesSql = ({ table }: LedgerNames): string => `
select
  id, array_to_json(roles) as roles, worker_id, version, definitions_digest, zone_data, started_at, seen_at,
  stopped_at
from ${table.instances}
order by seen_at desc, id
limit $1`;
