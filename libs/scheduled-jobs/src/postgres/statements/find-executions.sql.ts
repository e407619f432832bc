import type { LedgerNames } from '../ledger-names.js';
import { executionListSql } from './execution-list.js';

/**
 * Lists executions in any state, newest id first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: executions_pk backwards, or outcomes_fingerprint when one is asked for.
 * Params: those of every list.
 */
export const findExecutionsSql = (names: LedgerNames): string =>
  executionListSql(names, {
    from: `${names.table.executions} e
left join ${names.table.work} w on w.execution_id = e.id
left join ${names.table.outcomes} o on o.execution_id = e.id`,
    where: '($11::bigint is null or e.id < $11)',
    orderBy: 'e.id desc',
  });
