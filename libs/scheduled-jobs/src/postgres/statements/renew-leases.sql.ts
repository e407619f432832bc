import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { givenIds, isLeased } from './work-lookup.js';

export interface LeaseRow {
  readonly id: string;
  readonly token: string;
  readonly cancel: boolean;
}

/**
 * Renews leases, marks work as started, and tells which of the asked ids are leased, to which token, and whether somebody
 * asked them to stop. Work whose own finish holds the row is not renewed but still told as alive.
 *
 * Fenced: id, token and leased.
 * Locks: work rows by id, skip locked; never waits.
 * Index: work_pk; no indexed column changes, so the update stays in its page.
 * Params: $1 ids, $2 tokens, $3 start times (null = not started), $4 now.
 */
export const renewLeasesSql = ({ table }: LedgerNames): string => `
with held as materialized (
  select w.execution_id, w.lease_token
  from ${table.work} w
  where w.execution_id = any (${givenIds(1)}) and ${isLeased('w')}
  order by w.execution_id
  for no key update skip locked
),
renewed as (
  update ${table.work} w
  set
    lease_until = ${boundNow(4)} + w.lease_ms * interval '1 millisecond',
    started_at = coalesce(w.started_at, ($3::timestamptz[])[array_position($1::bigint[], w.execution_id)])
  where w.execution_id = any (array(
    select h.execution_id
    from held h
    join unnest($1::bigint[], $2::bigint[]) as mine(id, token) on mine.id = h.execution_id and mine.token = h.lease_token
  ))
)
select w.execution_id::text as id, w.lease_token::text as token, w.cancel_requested_at is not null as cancel
from ${table.work} w
where w.execution_id = any (${givenIds(1)}) and ${isLeased('w')}`;
