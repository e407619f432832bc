import type { Alert } from './alert.js';
import { alertText } from './alert-text.js';

/** What a webhook receives, as JSON; `text` is what chat services show. */
export const webhookMessage = (alert: Alert): string =>
  JSON.stringify({
    id: alert.alertId,
    kind: alert.kind,
    subject: alert.subject,
    text: alertText(alert),
    executionId: alert.executionId,
    openedAt: alert.openedAt,
    closedAt: alert.closedAt,
    runbook: alert.runbook,
    detail: alert.detail,
  });
