import type { LedgerNames } from '../ledger-names.js';

export interface StepRow {
  readonly step_name: string;
  readonly lease_token: string;
  readonly started_at: Date;
  readonly finished_at: Date;
  readonly result: unknown;
}

/**
 * Lists the finished steps of an execution, at most 1,000, in the order of their ends.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: steps_pk.
 * Params: $1 execution id, $2 behind this end (null = from the start), $3 and this name, $4 limit.
 */
export const findFinishedStepsSql = ({ table }: LedgerNames): string => `
select step_name, lease_token::text as lease_token, started_at, finished_at, result
from ${table.steps}
where execution_id = $1::bigint and (finished_at, step_name) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::text, ''))
order by finished_at, step_name
limit $4::int`;
