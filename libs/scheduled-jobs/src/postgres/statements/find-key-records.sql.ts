import type { KeyRecord } from '../../core/ports/period-records.js';
import type { LedgerNames } from '../ledger-names.js';
import { keyHash } from './key-hash.js';

export interface KeyRecordRow {
  readonly record: KeyRecord;
}

/**
 * Tells of each key, in the order given, whether it has an execution, had one that retention removed, or was never used.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: keys_pk, executions_pk, once per key: a scalar subquery is never turned into a join or a hash of a whole table.
 * Params: $1 keys.
 */
export const findKeyRecordsSql = ({ table }: LedgerNames): string => `
select
  case
    when used.execution_id is null then 'absent'
    when (select e.id from ${table.executions} e where e.id = used.execution_id) is null then 'pruned'
    else 'recorded'
  end as record
from (
  select
    g.ord,
    (select k.execution_id from ${table.keys} k where k.key_hash = ${keyHash('g.key')}) as execution_id
  from unnest($1::text[]) with ordinality as g(key, ord)
  offset 0
) used
order by used.ord`;
