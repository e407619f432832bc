import type { LedgerNames } from '../ledger-names.js';
import { executionListSql } from './execution-list.js';

/**
 * Lists the executions of one job by nominal time, newest first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_browse backwards.
 * Params: those of every list; $15 behind this nominal time, together with the id.
 */
export const findJobExecutionsSql = (names: LedgerNames): string =>
  executionListSql(names, {
    from: `${names.table.executions} e
left join ${names.table.work} w on w.execution_id = e.id
left join ${names.table.outcomes} o on o.execution_id = e.id`,
    where: '($11::bigint is null or (e.scheduled_for, e.id) < ($15::timestamptz, $11))',
    orderBy: 'e.scheduled_for desc, e.id desc',
  });
