import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { TestQueues } from '../support/queues.js';

const ledgerOf = useLedger();

async function setUp(options: object): Promise<TestQueues> {
  const queues = new TestQueues(ledgerOf());
  await queues.configure({ mail: options });
  await ledgerOf().insert(...[1, 2, 3, 4].map((n) => ({ key: `job:${n}`, queue: 'mail' })));
  return queues;
}
const why = async (key: string, now = T0) => (await ledgerOf().stores.ledger.why(key, now))!;

describe('why an execution of a limited queue does not run', () => {
  it('names the pause of its queue, also where that has no limit', async () => {
    await setUp({});
    expect((await why('job:1')).standing.kind).toBe('queued');
    await ledgerOf().stores.queues.pause('mail', { actor: 'ann', reason: 'down', now: T0 });
    expect((await why('job:1')).standing).toEqual({
      kind: 'queue-paused',
      queue: 'mail',
      since: T0,
      actor: 'ann',
      reason: 'down',
    });
    expect((await why('job:1')).text).toBe(
      'The queue "mail" has been paused by ann since 2026-03-01T12:00:00.000Z (down). It waits until the queue is resumed.',
    );
  });

  it('says that the queue is full, and for how many it waits', async () => {
    const queues = await setUp({ concurrency: 2 });
    expect((await why('job:2')).standing).toMatchObject({ kind: 'queued', ahead: 1 });
    await queues.claim('mail', 2);
    expect((await why('job:1')).standing.kind).toBe('running');
    expect((await why('job:4')).standing).toEqual({ kind: 'queue-full', queue: 'mail', concurrency: 2, ahead: 1 });
    expect((await why('job:4')).text).toBe(
      'The queue "mail" runs 2 at the same time, and as many are running. It waits behind 1 other(s).',
    );
  });

  it('says when the next one may start', async () => {
    const queues = await setUp({ rate: '1/s', burst: 2 });
    await queues.claim('mail', 2);
    expect((await why('job:3', after(300))).standing).toEqual({
      kind: 'rate-limited',
      queue: 'mail',
      until: after(1_000),
      ahead: 0,
    });
    expect((await why('job:3', after(1_000))).standing.kind).toBe('queued');
  });

  it('says until when its breaker is open, and then that probes run', async () => {
    const queues = await setUp({ breaker: { minimum: 1, openFor: '5s' } });
    await queues.judge((await queues.claim('mail', 1)).claimed, 'failed');
    expect((await why('job:2', after(10))).standing).toEqual({
      kind: 'breaker-open',
      queue: 'mail',
      until: after(5_000),
      ahead: 0,
    });
    expect((await why('job:2', after(5_000))).standing.kind).toBe('queued');
    await queues.claim('mail', 1, after(5_000));
    expect((await why('job:3', after(5_001))).standing).toMatchObject({ kind: 'breaker-open', until: null });
    expect((await why('job:3', after(5_001))).text).toContain('its probes are running. It is the next one.');
  });
});

it('pauses and resumes of queues are in the audit, each once', async () => {
  const { queues, audit } = ledgerOf().stores;
  for (const reason of ['down', 'again']) await queues.pause('mail', { actor: 'ann', reason, now: T0 });
  for (const reason of ['up', 'again']) await queues.resume('mail', { actor: 'bob', reason, now: after(5) });
  const { items } = await audit.find({});
  expect(items).toMatchObject([
    { action: 'resume-queue', subject: 'mail', actor: 'bob', reason: 'up', at: after(5) },
    { action: 'pause-queue', subject: 'mail', actor: 'ann', reason: 'down', at: T0 },
  ]);
});
