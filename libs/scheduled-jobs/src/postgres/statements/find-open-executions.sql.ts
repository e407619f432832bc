import type { LedgerNames } from '../ledger-names.js';
import { executionListSql } from './execution-list.js';

/**
 * Lists executions that have not ended, newest id first. Starting from the work is what makes rare states cheap.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_leased backwards when only running ones are asked for, else work_pk backwards.
 * Params: those of every list; $15 running, $16 retrying, $17 pending: whether they are asked for.
 */
export const findOpenExecutionsSql = (names: LedgerNames): string =>
  executionListSql(names, {
    from: `${names.table.work} w
join ${names.table.executions} e on e.id = w.execution_id
left join ${names.table.outcomes} o on o.execution_id = w.execution_id`,
    where: `($11::bigint is null or w.execution_id < $11)
  and (
    ($15::boolean and w.phase = 'leased')
    or ($16::boolean and w.phase <> 'leased' and w.retrying)
    or ($17::boolean and w.phase <> 'leased' and not w.retrying))`,
    orderBy: 'w.execution_id desc',
  });
