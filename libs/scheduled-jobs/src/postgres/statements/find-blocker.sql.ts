import type { LedgerNames } from '../ledger-names.js';
import { groupCapacity } from './group-capacity.js';
import { keyHash } from './key-hash.js';

export interface BlockerRow {
  readonly id: string;
  readonly key: string;
}

/**
 * Finds what keeps an execution from starting at once: the first of those that hold or await the slots of its concurrency
 * key, when they are enough to fill them. No row: there is room, or the execution is there already.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_group, keys_pk, executions_pk.
 * Params: $1 concurrency key, $2 the slots that its own job allows, $3 key.
 */
export const findBlockerSql = (names: LedgerNames): string => `
select e.id::text as id, e.key
from (
  select w.execution_id, count(*) over () as unfinished
  from ${names.table.work} w
  where w.concurrency_key = $1 and (w.phase = 'waiting' or w.slot is not null)
  order by w.slot is null, w.run_at, w.execution_id
  limit 1
) first
join ${names.table.executions} e on e.id = first.execution_id
where first.unfinished >= least($2::int, ${groupCapacity(names, '$1')})
  and not exists (select 1 from ${names.table.keys} where key_hash = ${keyHash('$3::text')})`;
