import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Notes why schedules could not be ticked and lets them rest: one second, then twice as long each time, at most a minute.
 *
 * Fenced: by the schedule's row lock.
 * Locks: schedules, which the tick already holds.
 * Index: schedules_pk.
 * Params: $1 schedule names, $2 error texts, $3 now.
 */
export const recordScheduleFailuresSql = ({ table }: LedgerNames): string => `
update ${table.schedules} s
set
  last_error = f.error,
  failures = s.failures + 1,
  retry_at = ${boundNow(3)} + least(power(2, least(s.failures, 6)), 60) * interval '1 second'
from unnest($1::text[], $2::text[]) as f(schedule_name, error)
where s.schedule_name = f.schedule_name`;
