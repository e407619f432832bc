import type { LedgerNames } from '../ledger-names.js';
import { executionListSql } from './execution-list.js';

/**
 * Lists executions that have ended in certain states, newest id first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: outcomes_fingerprint when one is asked for, outcomes_rare without `succeeded`, else outcomes_pk backwards.
 * Params: those of every list; $15 states.
 */
export const findEndedExecutionsSql = (names: LedgerNames): string =>
  executionListSql(names, {
    from: `${names.table.outcomes} o
join ${names.table.executions} e on e.id = o.execution_id
left join ${names.table.work} w on w.execution_id = o.execution_id`,
    where: `($11::bigint is null or o.execution_id < $11)
  and o.state = any ($15::text[])`,
    orderBy: 'o.execution_id desc',
  });
