import { describe, expect, it } from 'vitest';
import type { QueueLimits } from '../../libs/scheduled-jobs/src/core/queue/queue-limits.js';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { limitsOf } from '../support/queues.js';
import type { TestWorker } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const ledgerOf = useLedger();
const start = useWorkers(ledgerOf);
/** So long that nothing in these tests comes from a poll. */
const NO_POLL = { pollIntervalMs: 600_000 } as const;

const configure = (options: Readonly<Record<string, unknown>>, changes: Partial<QueueLimits> = {}) =>
  ledgerOf().stores.queues.configure(limitsOf(options).map((limits) => ({ ...limits, ...changes })));
const request = { actor: null, reason: 'test', now: null };
const enqueueMany = (worker: TestWorker, job: string, count: number) =>
  worker.enqueue(job, ...Array.from({ length: count }, () => ({})));
const ended = (worker: TestWorker, ids: readonly string[]) => Promise.all(ids.map((id) => worker.ended(id)));

/** A handler that knows how many of its calls run. */
function counting() {
  const calls = { running: 0, most: 0, total: 0 };
  const handler = async (): Promise<void> => {
    calls.total++;
    calls.most = Math.max(calls.most, ++calls.running);
    await new Promise((resolve) => setImmediate(resolve));
    calls.running--;
  };
  return { calls, handler };
}

describe('a worker at a limited queue', () => {
  it('runs no more at the same time, and goes on the moment one has ended', async () => {
    const { calls, handler } = counting();
    await configure({ mail: { concurrency: 2 } });
    const worker = await start({ job: { handler, queue: 'mail' } }, NO_POLL);
    const ids = await enqueueMany(worker, 'job', 12);
    worker.worker.wake();
    await ended(worker, ids);
    expect(calls).toMatchObject({ most: 2, total: 12 });
  });

  it('is one of several that together run no more', async () => {
    const { calls, handler } = counting();
    await configure({ mail: { concurrency: 3 } });
    const jobs = { job: { handler, queue: 'mail' } };
    const [first] = await Promise.all([start(jobs), start(jobs), start(jobs)]);
    await ended(first, await enqueueMany(first, 'job', 40));
    expect(calls.most).toBeLessThanOrEqual(3);
    expect(calls.total).toBe(40);
  });

  it('comes back when the database says that there is a token, not with the next poll', async () => {
    const { handler } = counting();
    await configure({ mail: { rate: '20/s', burst: 1 } });
    const worker = await start({ job: { handler, queue: 'mail' } }, NO_POLL);
    const startedMs = performance.now();
    const ids = await enqueueMany(worker, 'job', 4);
    worker.worker.wake();
    await ended(worker, ids);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(145);
  });

  it('gives other queues their slots, and gets its own, when there is one slot for all', async () => {
    const { handler } = counting();
    await configure({ mail: { concurrency: 1 }, resting: { concurrency: 1 } });
    await ledgerOf().stores.queues.pause('resting', request);
    const jobs = { mail: { handler, queue: 'mail' }, other: { handler }, resting: { handler, queue: 'resting' } };
    const worker = await start(jobs, { ...NO_POLL, concurrency: 1 });
    await enqueueMany(worker, 'resting', 1_000);
    const ids = [...(await enqueueMany(worker, 'mail', 8)), ...(await enqueueMany(worker, 'other', 8))];
    worker.worker.wake();
    await ended(worker, ids);
    expect(await ledgerOf().row('select count(*)::int as n from attempts')).toEqual({ n: 16 });
  });

  it('does not spin at executions that it has no handler for', async () => {
    await configure({ mail: { concurrency: 1 } });
    await ledgerOf().jobs({ name: 'foreign' });
    await ledgerOf().insert({ jobName: 'foreign', queue: 'mail' });
    const work = ledgerOf().stores.work;
    let looks = 0;
    const stores = {
      ...ledgerOf().stores,
      work: new Proxy(work, {
        get: (target, name: keyof typeof work) => {
          if (name === 'look') looks++;
          const member: unknown = target[name];
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      }),
    };
    const { handler } = counting();
    const worker = await start({ job: { handler, queue: 'mail' } }, { ...NO_POLL, stores });
    await worker.run('job').catch(() => undefined);
    expect(looks).toBeLessThan(6);
  });
});

describe('a worker at a paused queue', () => {
  it('starts nothing new, lets running ones finish, and goes on when it is resumed', async () => {
    const held = gate();
    let calls = 0;
    const handler = async (): Promise<void> => {
      calls++;
      await held.passed;
    };
    const worker = await start({ job: { handler, queue: 'mail' }, other: () => undefined });
    const [running] = await enqueueMany(worker, 'job', 1);
    await eventually(() => calls === 1);
    await ledgerOf().stores.queues.pause('mail', request);
    const [waiting] = await enqueueMany(worker, 'job', 1);
    await worker.run('other');
    held.open();
    await worker.ended(running!);
    await worker.run('other');
    expect(calls).toBe(1);
    await ledgerOf().stores.queues.resume('mail', request);
    await worker.ended(waiting!);
  });
});

describe('a worker with queues of its own', () => {
  it('never claims from others, in whatever way they are claimed', async () => {
    const { calls, handler } = counting();
    await configure({ limited: { concurrency: 5 } });
    const jobs = { mine: { handler, queue: 'mail' }, free: { handler }, limited: { handler, queue: 'limited' } };
    const worker = await start(jobs, { queues: ['mail'] });
    await enqueueMany(worker, 'free', 3);
    await enqueueMany(worker, 'limited', 3);
    await worker.run('mine');
    await worker.run('mine');
    expect(calls.total).toBe(2);
    expect(await ledgerOf().row(`select count(*)::int as n from work where phase = 'ready'`)).toEqual({ n: 6 });
  });
});

describe('workers at a queue with a breaker', () => {
  const breaker = { failureRatio: 0.5, minimum: 3, windowMs: 60_000, openForMs: 300, maxOpenForMs: 300, probes: 1 };

  it('rest while the service fails, probe it, and go on when it answers', async () => {
    let isDown = true;
    let calls = 0;
    const handler = (): void => {
      calls++;
      if (isDown) throw new Error('down');
    };
    await configure({ api: {} }, { breaker });
    const jobs = { call: { handler, queue: 'api', retry: { backoff: ['10ms'], maxAttempts: 50 } } };
    const [one, two] = [await start(jobs), await start(jobs)];
    const ids = await enqueueMany(one, 'call', 3);
    const opened = await Promise.race([one.recorder.next('breaker.opened'), two.recorder.next('breaker.opened')]);
    expect(opened).toMatchObject({ queue: 'api', until: expect.any(Date) });
    const callsWhenOpen = calls;
    await eventually(() => [one, two].some(({ recorder }) => recorder.of('breaker.opened').length > 1));
    // Between two openings one probe came through, whoever made it.
    const openings = [one, two].flatMap(({ recorder }) => recorder.of('breaker.opened')).length;
    expect(calls - callsWhenOpen).toBeLessThanOrEqual(openings + 2);
    isDown = false;
    await ended(one, ids);
    const closed = () => [one, two].flatMap(({ recorder }) => recorder.of('breaker.closed'));
    await eventually(() => closed().length > 0);
    expect(closed()).toMatchObject([{ queue: 'api', until: null }]);
  });

  it('do not rest for errors that are about one execution', async () => {
    const handler = (): void => {
      throw Object.assign(new Error('no such customer'), { status: 404 });
    };
    await configure({ api: {} }, { breaker });
    const worker = await start({ call: { handler, queue: 'api', retry: { maxAttempts: 1 } } });
    await ended(worker, await enqueueMany(worker, 'call', 10));
    expect(worker.recorder.of('breaker.opened')).toEqual([]);
  });
});
