import type { LedgerNames } from '../ledger-names.js';
import { isMeantByReplay } from './replay-filter.js';

export interface ReplayGroupRow {
  readonly job_name: string;
  readonly error_fingerprint: string | null;
  readonly error_class: string | null;
  readonly count: number;
  readonly examples: readonly string[];
  /** Over all groups. */
  readonly total: number;
}

/**
 * Counts ended executions that a filter means, by job and kind of error, with the keys of the newest ones.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: as find-replayable.
 * Params: $1 … $7 the filter, $8 examples of each group, $9 groups.
 */
export const previewReplaySql = ({ table }: LedgerNames): string => `
select
  job_name, error_fingerprint, max(error_class) as error_class, count(*)::int as count,
  json_agg(key order by newest) filter (where newest <= $8::int) as examples,
  (sum(count(*)) over ())::int as total
from (
  select
    e.job_name, e.key, o.error_fingerprint, o.error_class,
    row_number() over (partition by e.job_name, o.error_fingerprint order by o.execution_id desc) as newest
  from ${table.outcomes} o
  join ${table.executions} e on e.id = o.execution_id
  where o.state <> 'succeeded' and ${isMeantByReplay(1)}
) meant
group by job_name, error_fingerprint
order by count(*) desc, job_name, error_fingerprint
limit $9::int`;
