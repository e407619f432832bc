import type { FinalState } from '../../core/execution/execution-state.js';
import type { JobDefinition, OverlapPolicy } from '../../core/job/job-definition.js';
import type { LedgerNames } from '../ledger-names.js';

export interface JobRow {
  readonly name: string;
  readonly overlap: OverlapPolicy;
  readonly concurrency: number;
  readonly lease_ms: number;
  readonly deadline_ms: string;
  /** Milliseconds. */
  readonly retention: Readonly<Partial<Record<FinalState, number>>>;
  readonly alert: Partial<JobDefinition['alert']>;
}

/**
 * Reads registered jobs.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: jobs_pk.
 * Params: $1 job names.
 */
export const findJobsSql = ({ table }: LedgerNames): string => `
select name, overlap, concurrency, lease_ms, deadline_ms, retention, alert
from ${table.jobs}
where name = any ($1::text[])`;
