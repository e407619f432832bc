import { describe, expect, it } from 'vitest';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

describe('A handler that goes on although its lease was lost', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  /** Somebody takes the execution over, as if the lease had run out. */
  const takeOver = async () => {
    await ledger().sql(`update work set lease_until = now() - interval '1 second'`);
    await ledger().stores.work.rescue(10, null);
  };

  function ignoringJob(abortGrace: string) {
    const end = gate();
    const seen = { running: 0, most: 0, calls: 0 };
    const handler = async (run: Run) => {
      seen.calls += 1;
      seen.most = Math.max(seen.most, ++seen.running);
      if (run.attempt === 1) await end.passed;
      seen.running -= 1;
      return run.attempt;
    };
    return { end, seen, jobs: { job: { handler, abortGrace, heartbeat: '333ms' } } };
  }

  it('has no second call of its execution beside it in its worker, whoever notices the loss first', async () => {
    const { end, seen, jobs } = ignoringJob('10s');
    const worker = await startWorker(jobs);
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await takeOver();
    await worker.recorder.next('lease.lost');
    await eventually(() => worker.recorder.of('executions.claimed').length === 2, { what: 'a claim that meets it' });
    end.open();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 2 });
    expect(seen).toEqual({ running: 0, most: 1, calls: 2 });
  });

  it('keeps its execution from its worker for its abortGrace only', async () => {
    const { end, jobs } = ignoringJob('200ms');
    const worker = await startWorker(jobs);
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await takeOver();
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 2 });
    expect(worker.worker.runningCount).toBe(1);
    end.open();
  });
});
