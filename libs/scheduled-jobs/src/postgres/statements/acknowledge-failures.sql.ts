import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { givenIds } from './work-lookup.js';

export interface AcknowledgedRow {
  readonly id: string;
}

/**
 * Acknowledges failures that nobody has acknowledged; what has another state by now, or is held by another statement, is
 * not in the answer.
 *
 * Fenced: by the lock of the outcome; the first one is on record.
 * Locks: outcomes by id, skip locked; never waits. Then new rows of audit.
 * Index: outcomes_pk, executions_pk.
 * Params: $1 ids, $2 now, $3 actor, $4 reason.
 */
export const acknowledgeFailuresSql = ({ table }: LedgerNames): string => `
with dead as materialized (
  select execution_id
  from ${table.outcomes}
  where execution_id = any (${givenIds(1)}) and state = 'failed' and acknowledged_at is null
  order by execution_id
  for update skip locked
),
acknowledged as (
  update ${table.outcomes}
  set acknowledged_at = ${boundNow(2)}, acknowledged_by = $3
  where execution_id = any (array(select execution_id from dead))
),
noted as (
  insert into ${table.audit} (at, action, subject, job_name, execution_id, actor, reason)
  select ${boundNow(2)}, 'acknowledge', e.key, e.job_name, e.id, $3, $4
  from ${table.executions} e
  where e.id = any (array(select execution_id from dead))
  order by e.id
)
select execution_id::text as id
from dead
order by execution_id`;
