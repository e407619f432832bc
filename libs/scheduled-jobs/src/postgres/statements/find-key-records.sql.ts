import type { KeyRecord } from '../../core/ports/period-records.js';
import type { LedgerNames } from '../ledger-names.js';
import { usedKeys } from './used-keys.js';

export interface KeyRecordRow {
  readonly record: KeyRecord;
}

/**
 * Tells of each key, in the order given, whether it has an execution, had one that retention removed, or was never used.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, once per key.
 * Params: $1 keys.
 */
export const findKeyRecordsSql = (names: LedgerNames): string => `
select
  case
    when used.execution_id is null then 'absent'
    when (select e.id from ${names.table.executions} e where e.id = used.execution_id) is null then 'pruned'
    else 'recorded'
  end as record
from ${usedKeys(names)}
order by used.ord`;
