import type { ScheduleVersion } from '../../core/ports/schedule-store.js';
import type { ScheduleVersionRow } from '../statements/find-schedule-versions.sql.js';

/** A stored version as the core sees it. */
export const scheduleVersion = (row: ScheduleVersionRow): ScheduleVersion => ({
  version: row.version,
  validFrom: row.valid_from,
  expression: row.expression,
  timeZone: row.time_zone,
  shape: row.shape,
});
