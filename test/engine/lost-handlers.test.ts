import { describe, expect, it } from 'vitest';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

describe('A handler that goes on although its lease was lost', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  function ignoringJob(options: object) {
    const end = gate();
    const seen = { running: 0, most: 0, calls: 0 };
    const handler = async (run: Run) => {
      seen.calls += 1;
      seen.most = Math.max(seen.most, ++seen.running);
      if (run.attempt === 1) await end.passed;
      seen.running -= 1;
      return run.attempt;
    };
    return { end, seen, jobs: { job: { handler, ...options } } };
  }

  it('has no second call of its execution beside it in its worker, when a claim that meets it notices the loss', async () => {
    const { end, seen, jobs } = ignoringJob({ abortGrace: '1m', lease: '1m' });
    const worker = await startWorker(jobs);
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await ledger().takeOver();
    await worker.recorder.next('lease.lost');
    await eventually(() => worker.recorder.of('executions.claimed').length === 2, { what: 'a claim that meets it' });
    end.open();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 2 });
    expect(seen).toEqual({ running: 0, most: 1, calls: 2 });
  });

  it('nor when a heartbeat notices it', async () => {
    const { stores } = ledger();
    let claims = 0;
    const claim: typeof stores.work.claim = (request) => {
      claims += 1;
      return stores.work.claim(request);
    };
    const work = Object.assign(Object.create(stores.work) as typeof stores.work, { claim });
    const { end, seen, jobs } = ignoringJob({ abortGrace: '1m', heartbeat: '333ms' });
    const worker = await startWorker(jobs, { pollIntervalMs: 600_000, stores: { ...stores, work } });
    const [id] = await worker.enqueue('job');
    worker.worker.wake();
    await worker.recorder.next('attempt.started');
    await ledger().takeOver();
    await worker.recorder.next('lease.lost');
    const before = claims;
    worker.worker.wake();
    await eventually(() => claims > before, { what: 'a claim that leaves it out' });
    end.open();
    const isCalledAgain = () => {
      worker.worker.wake();
      return seen.calls === 2;
    };
    await eventually(isCalledAgain, { what: 'the second call' });
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 2 });
    expect(seen).toEqual({ running: 0, most: 1, calls: 2 });
  });

  it('keeps its execution from its worker for its abortGrace only', async () => {
    const { end, jobs } = ignoringJob({ abortGrace: '200ms' });
    const worker = await startWorker(jobs);
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await ledger().takeOver();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 2 });
    expect(worker.worker.runningCount).toBe(1);
    end.open();
  });
});
