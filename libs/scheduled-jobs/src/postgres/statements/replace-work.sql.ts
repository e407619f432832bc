import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { CANCELED_ROWS, canceledWork } from './cancel-work.sql.js';
import { givenIds } from './work-lookup.js';

/**
 * Cancels executions that newer ones of their jobs replace, and notes in the audit by which: nobody asked for it.
 *
 * Fenced: by the row lock; a worker's token matches nothing afterwards.
 * Locks: work rows by id, skip locked; then new rows of outcomes and audit. Never waits.
 * Index: work_pk, executions_pk.
 * Params: $1 ids, $2 now, $3 true: running ones are asked to stop, $4 the ids of those that replace them, in the same order.
 */
export const replaceWorkSql = (names: LedgerNames): string => `${canceledWork(names)},
noted as (
  insert into ${names.table.audit} (at, action, subject, job_name, execution_id, actor, reason, details)
  select
    ${boundNow(2)}, 'cancel', e.key, e.job_name, e.id, null, 'replaced by "' || n.key || '"',
    json_build_object(
      'done', case when e.id = any (array(select execution_id from ended)) then 'canceled' else 'asked' end,
      'replacedBy', n.id::text)
  from unnest(${givenIds(1)}, ${givenIds(4)}) as given(id, replaced_by)
  join ${names.table.executions} e on e.id = given.id
  join ${names.table.executions} n on n.id = given.replaced_by
  where given.id = any (array(select execution_id from mine))
  order by e.id
)
${CANCELED_ROWS}`;
