import { describe, expect, it } from 'vitest';
import { claimedExecution, EventRecorder, eventually, gate } from '../../../../test/support/engine.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { AttemptRecord, RecordedAttempt } from '../core/execution/attempt-record.js';
import { NO_COUNTS } from '../core/execution/counts.js';
import { Finisher } from './finisher.js';
import { HeldExecution } from './held-execution.js';

type Finish = (records: readonly AttemptRecord[], callNo: number) => Promise<readonly RecordedAttempt[]>;

const succeeded: Finish = async (records) =>
  records.map(({ executionId }) => ({ executionId, disposition: 'succeeded', freedKey: null }));

function setUp(finish: Finish = succeeded) {
  const calls: number[] = [];
  const admitted: (readonly string[] | null)[] = [];
  const recorder = new EventRecorder();
  const time = { ms: 0 };
  let onAdmitted = 0;
  const finisher = new Finisher({
    store: {
      finish: (records) => finish(records, calls.push(records.length)),
      admit: async (keys) => admitted.push(keys),
    },
    clock: { monotonicMs: () => time.ms, boundNow: () => null },
    emit: recorder.emit,
    workerId: 'w',
    onAdmitted: () => onAdmitted++,
  });
  return { finisher, calls, admitted, recorder, time, onAdmitted: () => onAdmitted };
}

function ended(): [HeldExecution, AttemptRecord] {
  const held = new HeldExecution(claimedExecution({ leaseMs: 1_000 }), { sentMs: 0, receivedMs: 0 });
  const record: AttemptRecord = {
    ...held.lease,
    disposition: 'succeeded',
    outcome: 'succeeded',
    startedAt: new Date(0),
    finishedAt: new Date(0),
    runAt: null,
    reason: null,
    result: null,
    resultNote: null,
    counts: NO_COUNTS,
    error: null,
  };
  return [held, record];
}

describe('Finisher', () => {
  it('gives each record its own answer, in whatever order they come and whichever is missing', async () => {
    const { finisher } = setUp(async (records, callNo) =>
      (await succeeded(records, callNo)).toReversed().filter(({ executionId }) => executionId !== fencedOut),
    );
    const all = [ended(), ended(), ended(), ended()];
    const ids = all.map(([{ lease }]) => lease.executionId);
    const [, fencedOut] = ids;
    finisher.start();
    const answers = await Promise.all(all.map(([held, record]) => finisher.record(held, record)));
    expect(answers.map((answer) => answer?.executionId ?? null)).toEqual(
      ids.map((id) => (id === fencedOut ? null : id)),
    );
    await finisher.stop();
  });

  it('records what ends in one turn of the event loop in one statement', async () => {
    const { finisher, calls } = setUp();
    finisher.start();
    await finisher.record(...ended());
    await new Promise((resolve) => setTimeout(resolve));
    const first = finisher.record(...ended());
    await Promise.resolve();
    await Promise.all([first, ...Array.from({ length: 599 }, () => finisher.record(...ended()))]);
    expect(calls).toEqual([1, 600]);
    await finisher.stop();
  });

  it('gathers what ends while a statement is under way', async () => {
    const held = gate();
    const { finisher, calls } = setUp(async (records, callNo) => {
      if (callNo === 1) await held.passed;
      return succeeded(records, callNo);
    });
    finisher.start();
    const first = finisher.record(...ended());
    await eventually(() => calls.length === 1);
    const others = Array.from({ length: 40 }, () => finisher.record(...ended()));
    held.open();
    expect(await Promise.all([first, ...others])).toHaveLength(41);
    expect(calls).toEqual([1, 40]);
    await finisher.stop();
  });

  it('says that a record did not count when the ledger did not take it, and that the lease is lost', async () => {
    const { finisher } = setUp(async () => []);
    finisher.start();
    const [held, record] = ended();
    expect(await finisher.record(held, record)).toBeNull();
    expect(held.isLost).toBe(true);
    await finisher.stop();
  });

  it('tries again while the database is away', async () => {
    const { finisher, recorder } = setUp(async (records, callNo) => {
      if (callNo < 3) throw new StoreUnavailableError('record attempts');
      return succeeded(records, callNo);
    });
    finisher.start();
    expect(await finisher.record(...ended())).toMatchObject({ disposition: 'succeeded' });
    expect(recorder.of('service.failed')).toHaveLength(2);
    await finisher.stop();
  });

  it('gives a record up once its lease may have gone to somebody else', async () => {
    const { finisher, time, calls } = setUp(async () => {
      time.ms += 600;
      throw new StoreUnavailableError('record attempts');
    });
    finisher.start();
    const [held, record] = ended();
    expect(await finisher.record(held, record)).toBeNull();
    expect(held.isLost).toBe(true);
    expect(calls).toHaveLength(2);
    await finisher.stop();
  });

  it('gives the slots on that ended executions leave, in one statement, and says so', async () => {
    const { finisher, admitted, onAdmitted } = setUp(async (records) =>
      records.map(({ executionId }, index) => ({
        executionId,
        disposition: 'succeeded',
        freedKey: index < 2 ? 'k' : null,
      })),
    );
    finisher.start();
    await Promise.all([ended(), ended(), ended()].map((end) => finisher.record(...end)));
    await finisher.stop();
    expect(admitted).toContainEqual(['k']);
    expect(onAdmitted()).toBe(admitted.length);
  });

  it('waits at a stop for the statement under way, and gives up what it did not record', async () => {
    const held = gate();
    const { finisher, calls } = setUp(async () => {
      await held.passed;
      throw new StoreUnavailableError('record attempts');
    });
    finisher.start();
    const first = finisher.record(...ended());
    await eventually(() => calls.length === 1);
    const second = finisher.record(...ended());
    const stopped = finisher.stop();
    held.open();
    await stopped;
    expect(await Promise.all([first, second])).toEqual([null, null]);
    expect(await finisher.record(...ended())).toBeNull();
  });

  it('survives starts and stops in any order', async () => {
    const { finisher, calls } = setUp();
    const quiet = await startStopStress(finisher, () => Promise.resolve(calls.length === 0));
    expect(quiet).toBe(true);
  });
});
