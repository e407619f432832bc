import type { LedgerNames } from '../ledger-names.js';
import { isMeantByReplay } from './replay-filter.js';

export interface ReplayableRow {
  readonly id: string;
}

/**
 * Lists ended executions that a filter means, oldest id first. What it finds is looked at again under its lock.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: outcomes_dead or outcomes_rare, or outcomes_fingerprint when one is asked for; executions_pk.
 * Params: $1 … $7 the filter, $8 behind this id (null = from the start), $9 limit.
 */
export const findReplayableSql = ({ table }: LedgerNames): string => `
select o.execution_id::text as id
from ${table.outcomes} o
join ${table.executions} e on e.id = o.execution_id
where o.state <> 'succeeded'
  and ($8::bigint is null or o.execution_id > $8)
  and ${isMeantByReplay(1)}
order by o.execution_id
limit $9::int`;
