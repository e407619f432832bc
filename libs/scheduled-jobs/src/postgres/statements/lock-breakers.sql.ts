import type { BreakerSettings } from '../../core/queue/queue-limits.js';
import type { Tally } from '../../core/queue/breaker.js';
import type { LedgerNames } from '../ledger-names.js';

export interface LockedBreakerRow {
  readonly name: string;
  readonly breaker: BreakerSettings;
  readonly tally: Tally | null;
  readonly open_until: Date | null;
  readonly openings: number;
  readonly opened_token: string | null;
  readonly probes_passed: number;
  readonly now: Date;
}

/**
 * Locks the breakers of queues and reads them as the last one who had the lock left them, so that no count is lost.
 *
 * Fenced: by the row locks, held until the transaction has ended.
 * Locks: queues by name; waits for claims and other counts, which are short.
 * Index: queues_pk.
 * Params: $1 names, $2 now. The clock is read once the locks are there.
 */
export const lockBreakersSql = ({ table }: LedgerNames): string => `
select
  q.name, q.breaker, q.tally, q.open_until, q.openings, q.opened_token::text as opened_token, q.probes_passed,
  coalesce($2::timestamptz, clock_timestamp()) as now
from ${table.queues} q
where q.name = any ($1::text[]) and q.breaker is not null
order by q.name
for update`;
