import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookServer, type ServedAnswer } from '../../../../test/support/webhook-server.js';
import type { Alert } from '../core/alert/alert.js';
import { judgeError } from '../core/execution/judge-error.js';
import { deliverAlert } from './webhook-delivery.js';

const ALERT: Alert = {
  alertId: '7',
  kind: 'failure',
  subject: 'job',
  executionId: '12',
  openedAt: new Date('2026-03-01T12:00:00Z'),
  closedAt: new Date('2026-03-01T12:00:00Z'),
  runbook: 'https://wiki/job',
  detail: {
    key: 'job:a',
    period: null,
    attempts: 4,
    reason: null,
    errorClass: 'TypeError',
    errorCode: null,
    errorMessage: 'boom',
  },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(...answers: readonly ServedAnswer[]) {
  const server = await webhookServer(answers);
  closing.push(() => server.close());
  return server;
}

const deliver = (url: string, payload: unknown = { alertId: '7' }) =>
  deliverAlert(
    { find: async (alertId) => (alertId === ALERT.alertId ? ALERT : null) },
    { url, headers: { 'x-key': 'secret-key' }, timeoutMs: 2_000 },
    { payload, signal: new AbortController().signal },
  );

/** What was thrown, and how the engine judges it. */
const failure = async (delivery: Promise<unknown>) => {
  const error: unknown = await delivery.catch((thrown: unknown) => thrown);
  return { error: error as Error, ...judgeError(error, null).judgement };
};

describe('A delivery of an alert', () => {
  it('posts it as JSON, with a text for people and the id as idempotency key', async () => {
    const { url, received } = await serve({ status: 204 });
    expect(await deliver(url)).toEqual({ status: 204 });
    const [request, ...others] = received;
    expect(others).toEqual([]);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': '7',
      'x-key': 'secret-key',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: '7',
      kind: 'failure',
      subject: 'job',
      text: 'job:a (execution 12) failed for good after 4 attempt(s): boom. Runbook: https://wiki/job',
      executionId: '12',
      openedAt: '2026-03-01T12:00:00.000Z',
      closedAt: '2026-03-01T12:00:00.000Z',
      runbook: 'https://wiki/job',
      detail: ALERT.detail,
    });
  });

  it.each([301, 302, 307, 308])('does not follow the redirect %i, and fails for good', async (status) => {
    const other = await serve({ status: 200 });
    const { url, received } = await serve({ status, headers: { location: other.url } });
    const { error, kind } = await failure(deliver(url));
    expect(error.message).toBe(`The webhook of alerts answered with the redirect ${status}, which is not followed.`);
    expect(kind).toBe('permanent');
    expect(received).toHaveLength(1);
    expect(other.received).toEqual([]);
  });

  it.each([
    [500, 'transient'],
    [408, 'transient'],
    [401, 'permanent'],
    [404, 'permanent'],
  ])('that is answered %i is judged %s', async (status, kind) => {
    const { url } = await serve({ status });
    const { error, ...judged } = await failure(deliver(url));
    expect(error).toMatchObject({ code: 'JOBS_WEBHOOK_FAILED', message: `The webhook of alerts answered ${status}.` });
    expect(judged.kind).toBe(kind);
  });

  it.each([429, 503])('that is answered %i with Retry-After waits that long', async (status) => {
    const { url } = await serve({ status, headers: { 'retry-after': '120' } });
    expect(await failure(deliver(url))).toMatchObject({ kind: 'throttled', retryAfter: 120_000 });
  });

  it('names no address and no secret in its errors', async () => {
    const { url, port, close } = await webhookServer();
    await close();
    const { error, kind } = await failure(deliver(url));
    expect(error.message).toBe('The webhook of alerts could not be reached: ECONNREFUSED.');
    expect(error.cause).toBeUndefined();
    expect(inspect(error)).not.toMatch(new RegExp(`:${port}|secret-key`));
    expect(kind).toBe('transient');
  });

  it('fails for good when there is no such alert any more', async () => {
    const { url, received } = await serve();
    for (const payload of [null, 'x', { alertId: 5 }, { alertId: '8' }]) {
      expect(await failure(deliver(url, payload))).toMatchObject({ kind: 'permanent' });
    }
    expect(received).toEqual([]);
  });
});
