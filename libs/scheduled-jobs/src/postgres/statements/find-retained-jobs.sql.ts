import type { LedgerNames } from '../ledger-names.js';

export interface RetainedJobRow {
  readonly name: string;
}

/**
 * Names of jobs whose ended executions are kept for a limited time; of a job that no newer version has registered yet it
 * is not known, so all are kept.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none: one row a job.
 */
export const findRetainedJobsSql = ({ table }: LedgerNames): string => `
select name
from ${table.jobs}
where retention <> '{}'
order by name`;
