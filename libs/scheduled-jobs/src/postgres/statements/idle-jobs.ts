import type { LedgerNames } from '../ledger-names.js';

/** The names of jobs whose executions nobody may or can run: paused ones, and those that no live worker handles. */
export const idleJobs = ({ table }: LedgerNames): string => `(
  select job_name from ${table.suspensions} where kind = 'paused' and to_at is null
  union all
  select name from ${table.jobs} where unhandled_since is not null)`;
