import type { LedgerNames } from '../ledger-names.js';

export interface VersionChangeRow {
  readonly version: number;
  readonly valid_from: Date;
}

/**
 * Lists the versions of a schedule that began in a window, newest first.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: schedule_versions_pk backwards.
 * Params: $1 schedule name, $2 from, $3 to, $4 limit.
 */
export const findVersionChangesSql = ({ table }: LedgerNames): string => `
select version, valid_from
from ${table.schedule_versions}
where schedule_name = $1 and valid_from >= $2::timestamptz and valid_from < $3::timestamptz
order by version desc
limit $4::int`;
