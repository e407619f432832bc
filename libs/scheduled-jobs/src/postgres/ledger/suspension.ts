import type { Suspension } from '../../core/ports/suspension-store.js';
import type { SuspensionRow } from '../statements/find-suspensions.sql.js';

/** A stored suspension as the core sees it. */
export const suspension = (row: Omit<SuspensionRow, 'job_name'>): Suspension => ({
  kind: row.kind,
  from: row.from_at,
  to: row.to_at,
  catchUp: row.catch_up,
  actor: row.actor,
  reason: row.reason,
});
