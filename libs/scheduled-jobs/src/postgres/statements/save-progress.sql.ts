import type { LedgerNames } from '../ledger-names.js';
import { givenIds, isLeased } from './work-lookup.js';

/**
 * Shows stage and percent of running work.
 *
 * Fenced: id, token and leased.
 * Locks: work rows by id, skip locked; never waits. A skipped update is only an older picture until the next one.
 * Index: work_pk; no indexed column changes.
 * Params: $1 ids, $2 tokens, $3 stages, $4 percents.
 */
export const saveProgressSql = ({ table }: LedgerNames): string => `
with held as materialized (
  select w.execution_id, g.stage, g.percent
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::real[]) as g(id, token, stage, percent)
  join ${table.work} w on w.execution_id = g.id and w.lease_token = g.token
  where w.execution_id = any (${givenIds(1)}) and ${isLeased('w')}
  order by w.execution_id
  for no key update of w skip locked
)
update ${table.work} w
set stage = left(h.stage, 100), percent = h.percent
from held h
where w.execution_id = h.execution_id`;
