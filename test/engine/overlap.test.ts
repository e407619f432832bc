import { describe, expect, it } from 'vitest';
import { SchedulePlanner } from '../../libs/scheduled-jobs/src/core/schedule/schedule-plan.js';
import { eventually, gate, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution } from '../support/ledger.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const ledger = useLedger();
const startWorker = useWorkers(ledger);

/** A minute ago, so that each of some seconds is due whenever the test runs. */
const START = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 60_000);

/** Seconds of a schedule that fires each second; each call ticks one more. */
function seconds(options: Readonly<Record<string, unknown>>) {
  const definition = scheduledJob('* * * * * *', { ...options, startAt: START });
  const planner = new SchedulePlanner([definition], expect.fail);
  let second = 0;
  const tick = async () => {
    if (second === 0) await ledger().stores.schedules.register([definition], START);
    second += 1;
    const request = { jobNames: ['job'], limit: 10, now: after(second * 1_000, START) };
    expect(await ledger().stores.schedules.tick(request, (due) => planner.plan(due))).toMatchObject({ inserted: 1 });
  };
  return { job: { cron: '* * * * * *', startAt: START, ...options }, tick };
}

/** The states of all executions in the order of their ids; null = not ended. */
const states = async () =>
  (
    await ledger().sql<{ state: string | null }>(
      `select concat_ws(' ', o.state, o.reason) as state from executions e left join outcomes o on o.execution_id = e.id order by e.id`,
    )
  ).map(({ state }) => state);
const ended = (count: number) =>
  eventually(async () => (await ledger().sql('select 1 from outcomes')).length === count, { what: `${count} ends` });

describe('A schedule that fires each second', () => {
  it('never runs twice at once under skip, however long a run takes, case 201', async () => {
    const { job, tick } = seconds({ overlap: 'skip' });
    const { passed, open } = gate();
    let running = 0;
    let most = 0;
    const handler = async () => {
      most = Math.max(most, ++running);
      await passed;
      running--;
    };
    await tick();
    const worker = await startWorker({ job: { ...job, handler } });
    await worker.recorder.next('attempt.started');
    for (let n = 1; n <= 5; n++) {
      await tick();
      await ended(n);
      expect(await ledger().sql(`select 1 from work where phase = 'leased'`)).toHaveLength(1);
    }
    open();
    await ended(6);
    await tick();
    await ended(7);
    const skipped = Array.from({ length: 5 }, () => 'skipped overlap');
    expect(await states()).toEqual(['succeeded', ...skipped, 'succeeded']);
    expect(most).toBe(1);
  });

  it('goes on after a crash, a cancel and a timeout of its periods, case 226', async () => {
    const timing = { timeout: '2s', abortGrace: '50ms', lease: '1s', heartbeat: '100ms', retry: { maxAttempts: 1 } };
    const { job, tick } = seconds(timing);
    await tick();
    await ledger().stores.work.admit(null);
    expect(await ledger().claim({ worker: 'dead', now: new Date(Date.now() - 500) })).toHaveLength(1);
    await tick();
    const handler = async ({ scheduledFor, signal }: Run) => {
      const second = (scheduledFor.getTime() - START.getTime()) / 1_000;
      if (second === 2) await ledger().sql('update work set cancel_requested_at = now() where lease_until is not null');
      if (second === 2 || second === 3) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    await startWorker({ job: { ...job, handler } });
    await tick();
    await tick();
    await ended(4);
    expect(await states()).toEqual(['failed', 'canceled', 'failed', 'succeeded']);
    const outcomes = await ledger().sql<{ outcome: string }>('select outcome from attempts order by lease_token');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['lost', 'canceled', 'timed_out', 'succeeded']);
  });
});

describe('Three executions while the first runs, case 205', () => {
  const group = { concurrencyKey: 'job:job' };

  async function three(overlap: string, whenSecondIsThere: () => Promise<unknown>) {
    const { passed, open } = gate();
    const started: unknown[] = [];
    let running = 0;
    let most = 0;
    const handler = async ({ payload, signal }: Run) => {
      started.push(payload);
      most = Math.max(most, ++running);
      const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (payload === 1) await Promise.race([passed, stopped]);
      running--;
    };
    const worker = await startWorker({ job: { handler, overlap } });
    const parts = overlap === 'allow' ? {} : group;
    await worker.enqueue('job', { ...parts, payload: '1' });
    await worker.recorder.next('attempt.started');
    await worker.enqueue('job', { ...parts, payload: '2' });
    await whenSecondIsThere();
    await worker.enqueue('job', { ...parts, payload: '3' });
    return { started, open, most: () => most };
  }

  it('queue: all run in their order, one at a time', async () => {
    const { started, open, most } = await three('queue', async () => undefined);
    open();
    await ended(3);
    expect(started).toEqual([1, 2, 3]);
    expect(most()).toBe(1);
  });

  it('skip: the first runs, the others are skipped', async () => {
    const { started, open } = await three('skip', () => ended(1));
    await ended(2);
    open();
    await ended(3);
    expect(started).toEqual([1]);
    expect(await states()).toEqual(['succeeded', 'skipped overlap', 'skipped overlap']);
  });

  it('queue-latest: the first and the last run', async () => {
    const { started, open, most } = await three('queue-latest', async () => undefined);
    await ended(1);
    open();
    await ended(3);
    expect(started).toEqual([1, 3]);
    expect(await states()).toEqual(['succeeded', 'skipped superseded', 'succeeded']);
    expect(most()).toBe(1);
  });

  it('replace: the first is aborted, the last runs once it has stopped', async () => {
    const { started, most } = await three('replace', async () => undefined);
    await ended(3);
    expect((await states())[0]).toBe('canceled');
    expect((await states())[2]).toBe('succeeded');
    expect(started).toContain(3);
    expect(most()).toBe(1);
  });

  it('allow: all run side by side', async () => {
    const { started, open } = await three('allow', async () => undefined);
    await ended(2);
    expect(started).toEqual([1, 2, 3]);
    open();
    await ended(3);
  });
});

describe('A job that skips, whose worker died, case 209', () => {
  it('is blocked for no longer than its lease and a look', async () => {
    await ledger().jobs({ name: 'job', overlap: 'skip' });
    const group = { concurrencyKey: 'job:job', leaseMs: 1_000 };
    await ledger().stores.executions.insert([newExecution(group)], { tx: null, now: null });
    await ledger().stores.work.admit(null);
    const [dead] = await ledger().claim({ worker: 'dead', now: new Date() });
    const diedMs = performance.now();
    const worker = await startWorker({ job: { handler: () => undefined, overlap: 'skip' } });
    const [meanwhile] = await worker.enqueue('job', group);
    expect(await worker.ended(meanwhile!)).toMatchObject({ state: 'skipped', reason: 'overlap' });
    expect(await worker.ended(dead!.executionId)).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(performance.now() - diedMs).toBeLessThan(4_000);
    expect(await worker.run('job', group)).toMatchObject({ state: 'succeeded' });
  });
});
