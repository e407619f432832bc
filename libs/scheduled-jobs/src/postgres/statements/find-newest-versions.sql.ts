import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import type { StoredVersionRow } from './find-stored-versions.sql.js';

export interface NewestVersionRow extends StoredVersionRow {
  readonly cursor_at: Date;
  readonly release: string | null;
  readonly renamed_to: string | null;
  /** It was suspended because no instance carried it. */
  readonly is_orphaned: boolean;
  readonly now: Date;
}

/**
 * Reads schedules, each with its newest version.
 *
 * Fenced: no, it only reads; a registration that found something to change reads again under the schedules' row locks.
 * Locks: none.
 * Index: schedules_pk, schedule_versions_pk, suspensions_open.
 * Params: $1 schedule names, $2 now.
 */
export const findNewestVersionsSql = ({ table }: LedgerNames): string => `
select
  s.schedule_name, s.cursor_at, s.release, s.renamed_to, v.version, v.valid_from, v.expression, v.time_zone, v.shape,
  v.carried_at, v.zone_data, ${boundNow(2)} as now,
  exists (
    select 1 from ${table.suspensions} x where x.job_name = s.job_name and x.kind = 'orphaned' and x.to_at is null
  ) as is_orphaned
from ${table.schedules} s
join ${table.schedule_versions} v on v.schedule_name = s.schedule_name and v.version = s.version
where s.schedule_name = any ($1::text[])`;
