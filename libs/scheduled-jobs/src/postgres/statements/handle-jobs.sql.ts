import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

const NOW = boundNow(2);

/**
 * Says that a live worker handles jobs. What another worker said just before is enough.
 *
 * Fenced: no, any worker may say so.
 * Locks: jobs by name, skip locked: somebody else says it, or says it is not so, which the next time puts right. Never waits.
 * Index: jobs_pk; heap-only updates.
 * Params: $1 jobs, $2 now.
 */
export const handleJobsSql = ({ table }: LedgerNames): string => `
with mine as materialized (
  select name
  from ${table.jobs}
  where name = any ($1::text[])
    and (unhandled_since is not null or handled_at is null or handled_at < ${NOW} - interval '15 seconds')
  order by name
  for no key update skip locked
)
update ${table.jobs}
set handled_at = ${NOW}, unhandled_since = null
where name = any (array(select name from mine))`;
