import type { LedgerNames } from '../ledger-names.js';

export interface FenceRow {
  /** True = somebody asked the execution to stop. */
  readonly cancel: boolean;
}

/**
 * Ends a run's transaction that commits nothing of ours: no row = the lease is lost.
 *
 * Fenced: it is the fence: id, token and leased. The last statement before the commit, so that a frozen worker holds no
 * lock on its work row meanwhile.
 * Locks: the work row, for key share: heartbeats pass, rescue skips the row until the commit.
 * Index: work_pk.
 * Params: $1 id, $2 token.
 */
export const fenceRunSql = ({ table }: LedgerNames): string => `
select cancel_requested_at is not null as cancel
from ${table.work}
where execution_id = $1::bigint and lease_token = $2::bigint and lease_until is not null
for key share`;
