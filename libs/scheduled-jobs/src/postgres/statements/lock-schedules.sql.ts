import type { LedgerNames } from '../ledger-names.js';

/**
 * Locks schedules whose definition changed, so that only one process adds the new version and no tick runs meanwhile.
 *
 * Fenced: by the row lock.
 * Locks: schedules by name; waits for a tick or another registration.
 * Index: schedules_pk.
 * Params: $1 schedule names.
 */
export const lockSchedulesSql = ({ table }: LedgerNames): string => `
select schedule_name
from ${table.schedules}
where schedule_name = any ($1::text[])
order by schedule_name
for update`;
