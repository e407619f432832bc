import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Notes that a process has stopped.
 *
 * Fenced: no: only the process itself writes its row.
 * Locks: its row. Heap-only.
 * Index: instances_pk.
 * Params: $1 id, $2 now.
 */
export const noteStopSql = ({ table }: LedgerNames): string => `
update ${table.instances}
set stopped_at = ${boundNow(2)}
where id = $1 and stopped_at is null`;
