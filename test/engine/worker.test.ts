import { describe, expect, it } from 'vitest';
import type { WorkStore } from '../../libs/scheduled-jobs/src/core/ports/work-store.js';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { startStopStress } from '../support/start-stop-stress.js';
import { TestWorker } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const many = (count: number) => Array.from({ length: count }, () => ({}));

describe('A worker', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  const openCount = async () => (await ledger().row<{ open: number }>('select count(*)::int as open from work')).open;
  const allEnded = () =>
    eventually(async () => (await openCount()) === 0, { withinMs: 20_000, what: 'the end of all' });

  it('never runs more at once than its concurrency says', async () => {
    let running = 0;
    let most = 0;
    const handler = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    const worker = await startWorker({ job: handler }, { concurrency: 4 });
    await worker.enqueue('job', ...many(100));
    await allEnded();
    expect(most).toBe(4);
  });

  it('runs many short executions with few statements', async () => {
    const worker = await startWorker({ job: () => undefined });
    await worker.enqueue('job', ...many(1_000));
    await eventually(() => worker.recorder.of('execution.ended').length === 1_000, { withinMs: 20_000 });
    expect(worker.recorder.of('executions.claimed').length).toBeLessThan(100);
  });

  it('runs executions of one concurrency key one after the other, in their order', async () => {
    const order: number[] = [];
    let running = 0;
    const handler = async (run: { readonly payload: unknown }) => {
      expect(++running).toBe(1);
      order.push(run.payload as number);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    const jobs = { job: { handler, overlap: 'queue' } };
    const [first, second] = [await startWorker(jobs), await startWorker(jobs)];
    const executions = Array.from({ length: 30 }, (_, index) => ({
      payload: String(index),
      concurrencyKey: 'job:job',
    }));
    for (const execution of executions) await first.enqueue('job', execution);
    await allEnded();
    expect(order).toEqual(executions.map(({ payload }) => Number(payload)));
    const finished = () => [first, second].flatMap(({ recorder }) => recorder.of('attempt.finished'));
    await eventually(() => finished().length >= 30, { what: 'what the workers tell of all ends' });
    expect(finished()).toHaveLength(30);
  });

  it('does not let a long queue keep a short one waiting', async () => {
    const order: string[] = [];
    const handler = async (run: { readonly jobName: string }) => {
      order.push(run.jobName);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const worker = new TestWorker(
      ledger(),
      { long: { handler, queue: 'long' }, short: { handler, queue: 'short' } },
      { concurrency: 2 },
    );
    await worker.enqueue('long', ...many(200));
    await worker.enqueue('short', ...many(5));
    await worker.start();
    await eventually(() => order.filter((name) => name === 'short').length === 5);
    await worker.stop();
    expect(order.indexOf('short')).toBeLessThan(5);
    expect(order.lastIndexOf('short')).toBeLessThan(60);
  });

  it('runs only the jobs it has handlers for', async () => {
    const a = await startWorker({ a: () => 'a' });
    const both = new TestWorker(ledger(), { a: () => 'a', b: () => 'b' });
    const ids = await both.enqueue('b', ...many(5));
    await a.run('a');
    expect(await openCount()).toBe(5);
    await both.start();
    expect((await Promise.all(ids.map((id) => both.ended(id)))).map(({ attempts }) => attempts)).toEqual([
      1, 1, 1, 1, 1,
    ]);
    await both.stop();
  });

  it('starts a delayed execution when it is due, long before the next poll', async () => {
    const worker = await startWorker({ job: () => 'done' }, { pollIntervalMs: 60_000 });
    await eventually(() => worker.recorder.of('worker.started').length === 1);
    const { at } = await ledger().row<{ at: Date }>(`select now() + interval '300 milliseconds' as at`);
    const [id] = await worker.enqueue('job', { runAt: at, scheduledFor: at });
    worker.worker.wake();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded' });
  });

  it('tells a handler within one heartbeat that its lease is lost, and records nothing', async () => {
    const lost = gate();
    const handler = async (run: { readonly attempt: number; readonly signal: AbortSignal }) => {
      if (run.attempt > 1) return 'second';
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      lost.open();
      return 'first';
    };
    const worker = await startWorker({ job: handler });
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await ledger().takeOver();
    await lost.passed;
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', result: 'second', attempts: 2 });
    expect(await worker.recorder.next('lease.lost')).toMatchObject({ attempt: 1 });
    expect((await worker.attempts(id!)).map(({ outcome }) => outcome)).toEqual(['lost', 'succeeded']);
  });

  it('takes over what a silent worker held, within a lease', async () => {
    const dead = new TestWorker(ledger(), { job: () => 'never' });
    await ledger().stores.schedules.register([], null);
    const [id] = await dead.enqueue('job');
    await ledger().claim({ worker: 'dead', now: null as never });
    const worker = await startWorker({ job: () => 'done' });
    expect(await worker.ended(id!, 5_000)).toMatchObject({ state: 'succeeded', attempts: 2 });
    await worker.recorder.next('execution.rescued');
    expect(worker.recorder.of('execution.rescued')).toMatchObject([
      { executionId: id, ending: null, workerId: 'dead' },
    ]);
  });

  it('keeps a lease for as long as its handler runs, also while it drains', async () => {
    const end = gate();
    const worker = await startWorker({ job: () => end.passed });
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await startWorker({ job: () => 'taken over' });
    const stopping = worker.stop({ timeoutMs: 20_000 });
    const { until } = await ledger().row<{ until: Date }>(`select now() + interval '2500 milliseconds' as until`);
    await eventually(async () => (await ledger().row<{ over: boolean }>('select now() > $1 as over', [until])).over);
    end.open();
    await stopping;
    expect(await worker.ended(id!)).toMatchObject({ attempts: 1 });
  });

  it('hands back at a stop what it claimed and did not start', async () => {
    const end = gate();
    const worker = await startWorker(
      { job: (run) => (run.payload === null ? undefined : end.passed) },
      { concurrency: 1 },
    );
    await worker.enqueue('job', ...many(20));
    await allEnded();
    await worker.enqueue('job', ...Array.from({ length: 20 }, () => ({ payload: '1' })));
    await eventually(async () => (await ledger().sql(`select 1 from work where phase = 'leased'`)).length > 1, {
      what: 'a filled buffer',
    });
    const stopping = worker.stop();
    end.open();
    await stopping;
    expect(await ledger().sql(`select distinct phase, attempt, retrying from work`)).toEqual([
      { phase: 'ready', attempt: 0, retrying: false },
    ]);
  });

  it('has asked the database for more before it runs what it has found', async () => {
    const { stores } = ledger();
    /** By which claim each came. */
    const claimOf = new Map<string, number>();
    let asked = 0;
    let sent = 0;
    let late = 0;
    const claim: WorkStore['claim'] = async (request) => {
      const claimNo = ++asked;
      // A connection takes a few steps before the statement is on its way.
      for (let step = 0; step < 50; step++) await Promise.resolve();
      sent = claimNo;
      const claimed = await stores.work.claim(request);
      for (const { executionId } of claimed) claimOf.set(executionId, claimNo);
      return claimed;
    };
    const work = Object.assign(Object.create(stores.work) as typeof stores.work, { claim });
    const job = ({ executionId }: { readonly executionId: string }) => {
      const next = claimOf.get(executionId)! + 1;
      if (asked >= next && sent < next) late++;
    };
    const worker = await startWorker({ job }, { stores: { ...stores, work } });
    await worker.enqueue('job', ...many(3_000));
    await eventually(() => worker.recorder.of('execution.ended').length === 3_000);
    expect(asked).toBeGreaterThan(3);
    expect(late).toBe(0);
  });

  it('looks again after a wake that came behind a look ahead, before the turn that takes what that has found', async () => {
    const { stores } = ledger();
    let isBlind = false;
    let wasBlind = false;
    const claim: WorkStore['claim'] = (request) => {
      isBlind = !wasBlind && request.quotas.every(({ start }) => start === 0);
      if (!isBlind) return stores.work.claim(request);
      wasBlind = true;
      worker.worker.wake();
      return Promise.resolve([]);
    };
    const look: WorkStore['look'] = async (...asked) => {
      const outlook = await stores.work.look(...asked);
      return isBlind ? { ...outlook, ready: false, nextRunInMs: null } : outlook;
    };
    const work = Object.assign(Object.create(stores.work) as typeof stores.work, { claim, look });
    const wakeUp = { start: () => undefined, stop: () => Promise.resolve() };
    const silent = { ...stores, work, wakeUp } as unknown as typeof stores;
    const worker = await startWorker({ job: () => undefined }, { stores: silent, pollIntervalMs: 60_000 });
    await worker.enqueue('job', ...many(3_000));
    worker.worker.wake();
    await allEnded();
    expect(wasBlind).toBe(true);
  });

  it('claims more while it runs what it has, and hands that back at a stop', async () => {
    const { stores } = ledger();
    const begun = gate();
    let hasLooked = true;
    const look: WorkStore['look'] = (...asked) => {
      hasLooked = true;
      return stores.work.look(...asked);
    };
    const claim: WorkStore['claim'] = (request) => {
      // Nothing was awaited since the last turn: the loop is between two of them.
      if (!hasLooked && request.quotas.every(({ start }) => start === 0)) {
        void worker.stop();
        begun.open();
      }
      hasLooked = false;
      return stores.work.claim(request);
    };
    const work = Object.assign(Object.create(stores.work) as typeof stores.work, { look, claim });
    const worker = await startWorker({ job: () => undefined }, { stores: { ...stores, work } });
    await worker.enqueue('job', ...many(3_000));
    await begun.passed;
    await worker.stop();
    const { phases, open, attempts } = await ledger().row<{ phases: string[]; open: number; attempts: number }>(
      `select array_agg(distinct phase) as phases, count(*)::int as open, max(attempt) as attempts from work`,
    );
    expect({ phases, attempts }).toEqual({ phases: ['ready'], attempts: 0 });
    expect(open + worker.recorder.of('execution.ended').length).toBe(3_000);
  });

  it('hands back what a claim brings that was under way when it had to stop at once', async () => {
    const { stores } = ledger();
    const [asked, answered] = [gate(), gate()];
    const claim: WorkStore['claim'] = async (request) => {
      const claimed = await stores.work.claim(request);
      if (claimed.length > 0) asked.open();
      await answered.passed;
      return claimed;
    };
    const work = Object.assign(Object.create(stores.work) as typeof stores.work, { claim });
    const worker = await startWorker({ job: () => undefined }, { stores: { ...stores, work } });
    await worker.enqueue('job', {});
    await asked.passed;
    const stopping = worker.stop({ timeoutMs: 0 });
    setTimeout(() => answered.open(), 50);
    await stopping;
    expect(await ledger().sql('select phase, attempt from work')).toEqual([{ phase: 'ready', attempt: 0 }]);
  });

  it('survives starts and stops in any order', async () => {
    const worker = await startWorker({ job: () => undefined });
    const quiet = await startStopStress(worker.worker, async () => {
      const { count } = await ledger().row<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and state = 'active' and query ~ 'lease_until|kept_' and pid <> pg_backend_pid()`,
      );
      return count === 0 && worker.worker.runningCount === 0;
    });
    expect(quiet).toBe(true);
    await worker.start();
    expect(await worker.run('job')).toMatchObject({ state: 'succeeded' });
  });
});
