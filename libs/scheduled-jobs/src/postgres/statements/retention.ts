import type { LedgerNames } from '../ledger-names.js';

const MS = `interval '1 millisecond'`;

/** What is kept of a job, `kept`: the durations by state, and the shortest of them. $1 is the job. */
export const keptOfJob = ({ table }: LedgerNames): string => `kept as materialized (
  select retention, (select min(ms::bigint) from jsonb_each_text(retention) as by_state(state, ms)) as min_ms
  from ${table.jobs}
  where name = $1
)`;

/** Whether an execution `e` may be old enough, by its nominal time. */
export const mayBeOld = (now: string): string => `e.scheduled_for < (select ${now} - min_ms * ${MS} from kept)`;

/** Whether an outcome `o` is older than its state is kept; a state without a duration is kept. */
export const isOld = (now: string): string =>
  `o.finished_at < ${now} - ((select retention from kept) ->> o.state)::bigint * ${MS}`;
