import type { AlertKind } from '../../core/alert/alert.js';

export interface AlertRow {
  readonly id: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly execution_id: string | null;
  readonly runbook: string | null;
  readonly detail: unknown;
  readonly opened_at: Date;
  readonly closed_at: Date | null;
}

/** What is read of the alert `a`. */
export const ALERT_COLUMNS =
  'a.id::text as id, a.kind, a.subject, a.execution_id::text as execution_id, a.runbook, a.detail, a.opened_at, a.closed_at';
