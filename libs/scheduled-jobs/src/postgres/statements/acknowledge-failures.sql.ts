import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { isMeantByReplay } from './replay-filter.js';
import { givenIds } from './work-lookup.js';

export interface AcknowledgedRow {
  readonly id: string;
  readonly key: string;
}

/**
 * Acknowledges failures that nobody has acknowledged; what has changed since it was chosen, and what another statement holds,
 * is left alone and not in the answer.
 *
 * Fenced: by the lock of the outcome; the first one is on record.
 * Locks: outcomes by id, skip locked; never waits. Then new rows of audit.
 * Index: outcomes_pk, executions_pk. The state is looked at under the lock.
 * Params: $1 ids, $2 now, $3 actor, $4 reason; from $5 on the filter that chose them.
 */
export const acknowledgeFailuresSql = ({ table }: LedgerNames): string => `
with dead as materialized (
  select o.execution_id
  from ${table.outcomes} o
  join ${table.executions} e on e.id = o.execution_id
  where o.execution_id = any (${givenIds(1)})
    and o.state = 'failed' and o.acknowledged_at is null
    and ${isMeantByReplay(5)}
  order by o.execution_id
  for update of o skip locked
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
select e.id::text as id, e.key
from ${table.executions} e
where e.id = any (array(select execution_id from dead))
order by e.id`;
