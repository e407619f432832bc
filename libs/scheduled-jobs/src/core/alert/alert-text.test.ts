import { expect, it } from 'vitest';
import type { Alert, AlertDetails, AlertKind } from './alert.js';
import { alertText } from './alert-text.js';
import { webhookMessage } from './webhook-message.js';

const alertOf = <Kind extends AlertKind>(
  kind: Kind,
  detail: AlertDetails[Kind],
  runbook: string | null = null,
): Alert =>
  ({
    alertId: '1',
    kind,
    subject: 'mail',
    executionId: '5',
    openedAt: new Date(0),
    closedAt: null,
    runbook,
    detail,
  }) as Alert;

const FAILURE: AlertDetails['failure'] = {
  key: 'mail:a',
  period: null,
  attempts: 4,
  reason: null,
  errorClass: null,
  errorCode: 'JOBS_WORKER_LOST',
  errorMessage: null,
};
const MISSED: AlertDetails['missed-period'] = {
  late: 2,
  keys: ['mail:1', 'mail:2'],
  leftOut: 0,
  unrecordedSince: null,
  lastError: null,
  startWithinMs: 900_000,
};

it.each([
  [alertOf('failure', FAILURE), 'mail:a (execution 5) failed for good after 4 attempt(s): JOBS_WORKER_LOST.'],
  [
    alertOf('failure', { ...FAILURE, errorCode: null }, 'call ann'),
    'mail:a (execution 5) failed for good after 4 attempt(s). Runbook: call ann',
  ],
  [alertOf('missed-period', MISSED), '"mail" missed its period: 2 not started within 15m, the first is mail:1.'],
  [
    alertOf('missed-period', {
      ...MISSED,
      late: 0,
      leftOut: 7,
      unrecordedSince: '2026-03-01T12:00:00.000Z',
      lastError: 'x',
    }),
    '"mail" missed its period: 7 left out by catch-up; none recorded since 2026-03-01T12:00:00.000Z; x.',
  ],
  [
    alertOf('dead-letter-ratio', { failed: 15, due: 100, above: 0.125, windowMs: 3_600_000 }),
    '"mail" has 15 dead letter(s) for 100 execution(s) due in 1h: more than 12.5 %.',
  ],
  [
    alertOf('backlog-age', { ageMs: 960_123, aboveMs: 900_000 }),
    'The queue "mail" has not started what could run for 16m: longer than 15m.',
  ],
])('An alert is a sentence: %#', (alert, text) => {
  expect(alertText(alert)).toBe(text);
});

it('What a webhook receives is bounded', () => {
  const key = 'k'.repeat(401);
  const missed = { ...MISSED, keys: Array.from({ length: 10 }, () => key), lastError: 'e'.repeat(500) };
  expect(webhookMessage(alertOf('missed-period', missed, 'r'.repeat(1_000))).length).toBeLessThan(16_384);
});
