import { WebhookError } from '../core/alert/webhook-error.js';
import { webhookMessage } from '../core/alert/webhook-message.js';
import { PermanentError } from '../core/errors.js';
import type { AlertStore } from '../core/ports/alert-store.js';

/** Where alerts go. Held in memory only. */
export interface WebhookTarget {
  /** Without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** The part of a run that a delivery needs. */
export interface DeliveryRun {
  readonly payload: unknown;
  readonly signal: AbortSignal;
}

/**
 * Posts an alert, once per call; the engine repeats it by its usual rules. Errors tell the status and no more: addresses,
 * headers and answers may hold secrets.
 * @returns What is recorded as the result.
 * @throws WebhookError when it was not taken; PermanentError for a redirect, and for an alert that does not exist any more.
 */
export async function deliverAlert(
  store: Pick<AlertStore, 'find'>,
  { url, headers, timeoutMs }: WebhookTarget,
  { payload, signal }: DeliveryRun,
): Promise<{ readonly status: number }> {
  const alertId = alertIdOf(payload);
  const alert = alertId === null ? null : await store.find(alertId);
  if (alert === null) throw new PermanentError('There is no such alert any more.');
  const response = await send(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': alert.alertId },
    body: webhookMessage(alert),
    // Whoever answers with another address must not get the headers.
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  // Nobody reads the answer: it must not hold the connection.
  await response.body?.cancel().catch(() => undefined);
  return accepted(response);
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    throw new WebhookError(`could not be reached${reason(error)}`, { status: null, retryAfter: null });
  }
}

function accepted({ ok, status, headers }: Response): { readonly status: number } {
  if (ok) return { status };
  if (status < 400) {
    throw new PermanentError(`The webhook of alerts answered with the redirect ${status}, which is not followed.`);
  }
  throw new WebhookError(`answered ${status}`, { status, retryAfter: headers.get('retry-after') });
}

/** A code such as ECONNREFUSED; never the message, which names addresses. */
function reason(error: unknown): string {
  if (error instanceof DOMException) return error.name === 'TimeoutError' ? ' in time' : '';
  const { code } = ((error as { readonly cause?: unknown }).cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z_]{1,50}$/.test(code) ? `: ${code}` : '';
}

function alertIdOf(payload: unknown): string | null {
  const { alertId } = (payload ?? {}) as { readonly alertId?: unknown };
  return typeof alertId === 'string' ? alertId : null;
}
