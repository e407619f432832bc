import type { LedgerNames } from '../ledger-names.js';
import { executionListSql } from './execution-list.js';

/**
 * Lists failures that nobody has acknowledged, newest id first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: outcomes_dead, or outcomes_fingerprint when one is asked for.
 * Params: those of every list.
 */
export const findDeadLettersSql = (names: LedgerNames): string =>
  executionListSql(names, {
    from: `${names.table.outcomes} o
join ${names.table.executions} e on e.id = o.execution_id
left join ${names.table.work} w on w.execution_id = o.execution_id`,
    where: `($11::bigint is null or o.execution_id < $11)
  and o.state = 'failed'
  and o.acknowledged_at is null`,
    orderBy: 'o.execution_id desc',
  });
