import { durationText } from '../duration.js';
import type { Alert, AlertDetails } from './alert.js';

/** An alert in an English sentence, for logs and for whoever receives the webhook. */
export function alertText(alert: Alert): string {
  const runbook = alert.runbook === null ? '' : ` Runbook: ${alert.runbook}`;
  return `${sentence(alert)}${runbook}`;
}

function sentence(alert: Alert): string {
  switch (alert.kind) {
    case 'failure':
      return failureText(alert.executionId, alert.detail);
    case 'missed-period':
      return `"${alert.subject}" missed its period: ${missedText(alert.detail)}.`;
    case 'dead-letter-ratio': {
      const { failed, due, above, windowMs } = alert.detail;
      return `"${alert.subject}" has ${failed} dead letter(s) for ${due} execution(s) due in ${durationText(windowMs)}: more than ${percent(above)}.`;
    }
    case 'backlog-age': {
      const { ageMs, aboveMs } = alert.detail;
      return `The queue "${alert.subject}" has not started what could run for ${durationText(roundedMs(ageMs))}: longer than ${durationText(aboveMs)}.`;
    }
  }
}

function failureText(executionId: string | null, detail: AlertDetails['failure']): string {
  const error = detail.errorMessage ?? detail.errorClass ?? detail.errorCode ?? detail.reason;
  const why = error === null ? '' : `: ${error}`;
  return `${detail.key} (execution ${executionId ?? 'unknown'}) failed for good after ${detail.attempts} attempt(s)${why}.`;
}

function missedText({ late, keys, leftOut, unrecordedSince, ...detail }: AlertDetails['missed-period']): string {
  const [first] = keys;
  const parts = [
    late > 0 &&
      `${late} not started within ${durationText(detail.startWithinMs)}${first === undefined ? '' : `, the first is ${first}`}`,
    leftOut > 0 && `${leftOut} left out by catch-up`,
    unrecordedSince !== null && `none recorded since ${unrecordedSince}`,
    detail.lastError !== null && detail.lastError,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

const percent = (ratio: number): string => `${Number((ratio * 100).toFixed(2))} %`;

const roundedMs = (ms: number): number => Math.round(ms / 1_000) * 1_000;
