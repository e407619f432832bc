import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { TestQueues } from '../support/queues.js';

const ledgerOf = useLedger();
const queuesOf = () => new TestQueues(ledgerOf());

describe('a queue with a concurrency', () => {
  it('is claimed from as far as others leave room, and again when one ends', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 3 } });
    await queues.fill('mail', 10);
    const first = await queues.claim('mail', 2);
    expect(first).toMatchObject({ claimed: [{ queue: 'mail' }, { queue: 'mail' }], isBusy: false });
    expect((await queues.claim('mail', 5)).claimed).toHaveLength(1);
    expect((await queues.claim('mail', 5)).claimed).toEqual([]);
    expect(await queues.gate('mail')).toEqual({ queue: 'mail', ready: true, opensInMs: null, hasBreaker: false });
    await queues.finish(first.claimed);
    expect(await queues.gate('mail')).toMatchObject({ opensInMs: 0 });
    expect((await queues.claim('mail', 5)).claimed).toHaveLength(2);
  });

  it('starts all that is claimed, so that nothing holds room without running', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 5 } });
    await queues.fill('mail', 5);
    await queues.claim('mail', 5);
    expect(await ledgerOf().row(`select count(started_at)::int as n from work where phase = 'leased'`)).toEqual({
      n: 5,
    });
  });

  it('drains under a lowered limit', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 5 } });
    await queues.fill('mail', 10);
    const { claimed } = await queues.claim('mail', 5);
    await queues.configure({ mail: { concurrency: 2 } });
    await queues.finish(claimed.slice(0, 3));
    expect((await queues.claim('mail', 5)).claimed).toEqual([]);
    await queues.finish(claimed.slice(3, 4));
    expect((await queues.claim('mail', 5)).claimed).toHaveLength(1);
  });

  it('is passed over while another worker claims from it', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 5 } });
    await queues.fill('mail', 1);
    const other = await ledgerOf().client();
    await other.query('begin');
    await other.query(`select 1 from queues where name = 'mail' for update`);
    expect(await queues.claim('mail', 1)).toEqual({ claimed: [], isBusy: true });
    await other.query('commit');
    expect(await queues.claim('mail', 1)).toMatchObject({ claimed: [{}], isBusy: false });
  });
});

describe('a queue with a rate', () => {
  it('lets a burst start, then what the rate gives, and never more than the burst after a rest', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { rate: '50/s', burst: 10 } });
    await queues.fill('mail', 60);
    const starts = async (ms: number) => (await queues.claim('mail', 100, after(ms))).claimed.length;
    expect(await starts(0)).toBe(10);
    expect(await starts(19)).toBe(0);
    expect(await starts(20)).toBe(1);
    expect(await starts(100)).toBe(4);
    expect(await starts(60_000)).toBe(10);
  });

  it('tells when there is a token again', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { rate: '50/s', burst: 1 } });
    await queues.fill('mail', 2);
    await queues.claim('mail', 1);
    expect(await queues.gate('mail')).toMatchObject({ opensInMs: 20 });
    expect(await queues.gate('mail', after(5))).toMatchObject({ opensInMs: 15 });
    expect(await queues.gate('mail', after(20))).toMatchObject({ opensInMs: 0 });
  });

  it('spends tokens for what starts, not for what was asked', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { rate: '1/m', burst: 5 } });
    await queues.fill('mail', 2);
    expect((await queues.claim('mail', 100)).claimed).toHaveLength(2);
    await queues.fill('mail', 10);
    expect((await queues.claim('mail', 100)).claimed).toHaveLength(3);
  });

  it('gives no token twice when a clock goes back, nor takes any away', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { rate: '1/s', burst: 5 } });
    await queues.fill('mail', 20);
    const starts = async (ms: number) => (await queues.claim('mail', 2, after(ms))).claimed.length;
    expect(await starts(10_000)).toBe(2);
    expect(await starts(5_000)).toBe(2);
    expect(await starts(5_000)).toBe(1);
    expect(await starts(10_000)).toBe(0);
    expect(await starts(11_000)).toBe(1);
  });

  it('keeps what is used up through another start with the same or other limits', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { rate: '1/h', burst: 3 } });
    await queues.fill('mail', 20);
    await queues.claim('mail', 3);
    await queues.configure({ mail: { rate: '1/h', burst: 3 } });
    expect((await queues.claim('mail', 9)).claimed).toEqual([]);
    await queues.configure({ mail: { rate: '1/h', burst: 9 } });
    expect((await queues.claim('mail', 9)).claimed).toEqual([]);
    await queues.configure({ mail: { concurrency: 100 } });
    await queues.configure({ mail: { rate: '1/h', burst: 4 } });
    expect((await queues.claim('mail', 9)).claimed).toHaveLength(4);
  });
});

describe('limits of a queue', () => {
  it('hold together: the narrowest counts', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 3, rate: '1/h', burst: 2 } });
    await queues.fill('mail', 9);
    expect((await queues.claim('mail', 9)).claimed).toHaveLength(2);
  });

  it('belong to the newest start that names the queue; other queues stay as they are', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 3 }, pdf: { concurrency: 1 } });
    await queues.configure({ mail: {} });
    expect(await queues.gate('mail')).toBeUndefined();
    expect(await queues.gate('pdf')).toBeDefined();
  });

  it('leave the other queues of a look alone', async () => {
    const queues = queuesOf();
    const look = () => ledgerOf().stores.work.look(['default', 'mail'], T0);
    await queues.configure({ mail: { concurrency: 1 } });
    await queues.fill('mail', 1);
    expect(await look()).toMatchObject({ ready: false, gates: [{ queue: 'mail', ready: true }] });
    await queues.fill('default', 1);
    expect(await look()).toMatchObject({ ready: true });
  });
});

describe('a paused queue', () => {
  const request = { actor: 'ann', reason: 'down', now: T0 };

  it('gives nothing until it is resumed; both are safe to repeat', async () => {
    const queues = queuesOf();
    const { queues: store } = ledgerOf().stores;
    await queues.fill('mail', 1);
    expect(await store.pause('mail', request)).toEqual({ changed: true, at: T0 });
    expect(await store.pause('mail', { ...request, now: after(5) })).toEqual({ changed: false, at: T0 });
    expect(await queues.gate('mail')).toMatchObject({ ready: true, opensInMs: null });
    expect((await queues.claim('mail', 1)).claimed).toEqual([]);
    expect(await store.resume('mail', { ...request, now: after(9) })).toEqual({ changed: true, at: after(9) });
    expect(await store.resume('mail', { ...request, now: after(10) })).toEqual({ changed: false, at: after(10) });
    expect(await queues.gate('mail')).toBeUndefined();
    expect((await ledgerOf().claim({ queue: 'mail' })).length).toBe(1);
  });

  it('gives nothing to a worker that has not looked since', async () => {
    await queuesOf().fill('mail', 1);
    await queuesOf().fill('default', 1);
    const claim = () =>
      ledgerOf().stores.work.claim({
        workerId: 'w1',
        quotas: ['mail', 'default'].map((queue) => ({ queue, take: 1, start: 1 })),
        jobNames: ['job'],
        now: T0,
      });
    await ledgerOf().stores.queues.pause('mail', request);
    expect(await claim()).toMatchObject([{ queue: 'default' }]);
    await ledgerOf().stores.queues.resume('mail', request);
    expect(await claim()).toMatchObject([{ queue: 'mail' }]);
  });

  it('keeps its limits, and its limits keep the pause', async () => {
    const queues = queuesOf();
    const { queues: store } = ledgerOf().stores;
    await queues.configure({ mail: { concurrency: 2 } });
    await store.pause('mail', request);
    await queues.configure({ mail: { concurrency: 3 } });
    await queues.fill('mail', 9);
    expect((await queues.claim('mail', 9)).claimed).toEqual([]);
    await store.resume('mail', request);
    expect((await queues.claim('mail', 9)).claimed).toHaveLength(3);
  });
});

describe('list', () => {
  it('shows limits, pauses and what is in the queues: those named, limited, waited for or running', async () => {
    const queues = queuesOf();
    await queues.configure({ mail: { concurrency: 4, rate: '50/s', burst: 10, breaker: true } });
    await ledgerOf().stores.queues.pause('pdf', { actor: 'ann', reason: 'down', now: T0 });
    await queues.fill('mail', 3);
    await queues.fill('busy', 1);
    await ledgerOf().claim({ queue: 'busy' });
    await queues.claim('mail', 1);
    await ledgerOf().insert({ queue: 'walked', runAt: after(-60_000) });
    const none = { concurrency: null, rate: null, rateMs: null, burst: null, pause: null, breaker: null };
    expect(await ledgerOf().stores.queues.list(['default'], T0)).toEqual([
      { name: 'busy', ...none, ready: 0, running: 1, oldestReadyMs: null },
      { name: 'default', ...none, ready: 0, running: 0, oldestReadyMs: null },
      {
        name: 'mail',
        concurrency: 4,
        rate: 50,
        rateMs: 1_000,
        burst: 10,
        pause: null,
        breaker: { state: 'closed', openUntil: null, calls: 0, failures: 0 },
        ready: 2,
        running: 1,
        oldestReadyMs: 0,
      },
      {
        ...none,
        name: 'pdf',
        pause: { since: T0, actor: 'ann', reason: 'down' },
        ready: 0,
        running: 0,
        oldestReadyMs: null,
      },
      { name: 'walked', ...none, ready: 1, running: 0, oldestReadyMs: 60_000 },
    ]);
  });

  it('shows those that are used, limited or paused, however many others somebody has invented', async () => {
    await ledgerOf().insert(...Array.from({ length: 1_001 }, (_, n) => ({ queue: `aa-${n}` })));
    await ledgerOf().stores.queues.pause('pdf', { actor: 'ann', reason: 'down', now: T0 });
    await ledgerOf().insert({ queue: 'running' });
    await ledgerOf().claim({ queue: 'running' });
    const names = (await ledgerOf().stores.queues.list(['mail'], T0)).map(({ name }) => name);
    expect(names).toHaveLength(1_000);
    expect(names).toEqual(expect.arrayContaining(['mail', 'pdf', 'running']));
    expect(names).toEqual(names.toSorted());
  });
});
