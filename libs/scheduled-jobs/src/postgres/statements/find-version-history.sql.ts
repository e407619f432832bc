import type { LedgerNames } from '../ledger-names.js';

/**
 * Lists the versions of one schedule, newest first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedule_versions_pk backwards.
 * Params: $1 schedule name, $2 limit (null = all).
 */
export const findVersionHistorySql = ({ table }: LedgerNames): string => `
select schedule_name, version, valid_from, expression, time_zone, shape
from ${table.schedule_versions}
where schedule_name = $1
order by version desc
limit $2::int`;
