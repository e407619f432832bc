import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Notes that a process is alive, and what it is.
 *
 * Fenced: no: only the process itself writes its row.
 * Locks: its row. Heap-only after the first time.
 * Index: instances_pk.
 * Params: $1 id, $2 roles, $3 worker, $4 version, $5 digest of definitions, $6 zone data, $7 now.
 */
export const noteInstanceSql = ({ table }: LedgerNames): string => `
insert into ${table.instances} (id, roles, worker_id, version, definitions_digest, zone_data, started_at, seen_at)
values ($1, $2::text[], $3, $4, $5, $6, ${boundNow(7)}, ${boundNow(7)})
on conflict (id) do update
set
  roles = excluded.roles, worker_id = excluded.worker_id, version = excluded.version,
  definitions_digest = excluded.definitions_digest, zone_data = excluded.zone_data, seen_at = excluded.seen_at, stopped_at = null`;
