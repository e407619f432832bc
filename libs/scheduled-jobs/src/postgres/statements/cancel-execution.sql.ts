import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { canceledWork } from './cancel-work.sql.js';

export interface CanceledExecutionRow {
  readonly job_name: string;
  readonly done: 'canceled' | 'asked';
  /** The concurrency key whose slot became free. */
  readonly freed_key: string | null;
}

/**
 * Cancels an execution as its operator wants it, notes that in the audit, and tells workers: of what runs that it was asked
 * to stop, else that there may be room. No row: it has ended, or another statement holds it. All at once, because the end of
 * the attempt waits for the row: a process that freezes between two statements would hold up every record of a worker.
 *
 * Fenced: by the row lock; a worker's token matches nothing afterwards.
 * Locks: the work row, skip locked; then new rows of outcomes and audit. Never waits.
 * Index: work_pk, executions_pk.
 * Params: $1 ids, $2 now, $3 whether running ones are asked to stop, $4 actor, $5 reason, $6 channel of the hint.
 */
export const cancelExecutionSql = (names: LedgerNames): string => `${canceledWork(names)},
done as (
  select
    m.execution_id, m.job_name,
    case when m.runs then 'asked' else 'canceled' end as done,
    (select e.freed_key from ended e where e.execution_id = m.execution_id) as freed_key
  from mine m
),
noted as (
  insert into ${names.table.audit} (at, action, subject, job_name, execution_id, actor, reason, details)
  select
    ${boundNow(2)}, 'cancel', e.key, e.job_name, e.id, $4, $5, json_build_object('done', d.done)
  from done d
  join ${names.table.executions} e on e.id = d.execution_id
)
select job_name, done, freed_key, pg_notify($6, case when done = 'asked' then 'cancel' else '' end)::text as hint
from done`;
