import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

export interface UnhandledRow {
  readonly name: string;
}

const LONG_AGO = `${boundNow(3)} - $1::bigint * interval '1 millisecond'`;

/**
 * Marks the jobs that no worker has handled for a while. Who has not looked for that long itself marks none: after an outage
 * all of them seem to be left. A job that only versions know which do not say what they handle is never marked.
 *
 * Fenced: by the row; a worker that comes at this moment takes the mark away when it says next that it handles the job.
 * Locks: jobs by name, skip locked; never waits.
 * Index: none, there are few jobs.
 * Params: $1 milliseconds, $2 since when the caller has been looking, $3 now.
 */
export const markUnhandledSql = ({ table }: LedgerNames): string => `
with left_alone as materialized (
  select name
  from ${table.jobs}
  where $2::timestamptz <= ${LONG_AGO} and unhandled_since is null and handled_at < ${LONG_AGO}
  order by name
  for no key update skip locked
)
update ${table.jobs}
set unhandled_since = handled_at
where name = any (array(select name from left_alone))
returning name`;
