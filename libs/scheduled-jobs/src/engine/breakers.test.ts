import { afterEach, describe, expect, it } from 'vitest';
import { EventRecorder, eventually, gate } from '../../../../test/support/engine.js';
import { attemptRecord, storedError } from '../../../../test/support/ledger.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { QueueStore } from '../core/ports/queue-store.js';
import type { Verdict } from '../core/queue/breaker.js';
import { Breakers } from './breakers.js';

type Record = QueueStore['recordVerdicts'];
let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

function setUp(answer: (callNo: number) => ReturnType<Record> | Awaited<ReturnType<Record>> = () => []) {
  const calls: (readonly Verdict[])[] = [];
  const recorder = new EventRecorder();
  const closed = { times: 0 };
  const breakers = new Breakers({
    store: {
      recordVerdicts: async (verdicts) => {
        calls.push(verdicts);
        return answer(calls.length);
      },
    },
    clock: { monotonicMs: () => performance.now(), boundNow: () => null },
    emit: recorder.emit,
    onClosed: () => closed.times++,
  });
  stop = () => breakers.stop();
  const note = (leaseToken: number, parts: Partial<Parameters<typeof attemptRecord>[1]> = {}) =>
    breakers.note('api', attemptRecord({ executionId: '1', leaseToken: String(leaseToken) }, parts));
  return { breakers, calls, recorder, closed, note };
}
const FAILED = { outcome: 'failed', error: { ...storedError(), kind: 'transient' } } as const;

describe('Breakers', () => {
  it('tell many verdicts at once: while one call is under way, the next ones gather', async () => {
    const answered = gate();
    const { breakers, calls, note } = setUp((callNo) => (callNo === 1 ? answered.passed.then(() => []) : []));
    breakers.start();
    note(1);
    await eventually(() => calls.length === 1);
    for (let token = 2; token <= 5; token++) note(token, FAILED);
    answered.open();
    await eventually(() => calls.length === 2);
    expect(calls[0]).toEqual([{ queue: 'api', leaseToken: '1', failed: false }]);
    expect(calls[1]).toMatchObject([2, 3, 4, 5].map((token) => ({ leaseToken: String(token), failed: true })));
  });

  it('ignore attempts that say nothing of the service', async () => {
    const { breakers, calls, note } = setUp();
    breakers.start();
    note(1, { outcome: 'canceled' });
    note(2, { outcome: 'failed', error: { ...storedError(), kind: 'permanent' } });
    await breakers.stop();
    expect(calls).toEqual([]);
  });

  it('tell once more what the database did not take', async () => {
    const { breakers, calls, recorder, note } = setUp((callNo) => {
      if (callNo === 1) throw new StoreUnavailableError('count calls of queues');
      return [];
    });
    breakers.start();
    note(7);
    await eventually(() => calls.length === 2);
    expect(calls[1]).toEqual(calls[0]);
    expect(recorder.of('service.failed')).toMatchObject([{ service: 'breakers' }]);
  });

  it('say what changed, and wake the worker when one closed', async () => {
    const change = { queue: 'api', calls: 1, failures: 0 };
    const until = new Date(0);
    const { breakers, recorder, closed, note } = setUp((callNo) => [
      callNo === 1 ? { ...change, change: 'opened', until } : { ...change, change: 'closed', until: null },
    ]);
    breakers.start();
    note(1);
    expect(await recorder.next('breaker.opened')).toEqual({ type: 'breaker.opened', ...change, until });
    expect(closed.times).toBe(0);
    note(2);
    await recorder.next('breaker.closed');
    expect(closed.times).toBe(1);
  });

  it('tell the rest when they stop, and give up what cannot be told', async () => {
    const { breakers, calls, note } = setUp((callNo) => {
      if (callNo === 2) throw new StoreUnavailableError('count calls of queues');
      return [];
    });
    note(1);
    await breakers.stop();
    expect(calls).toHaveLength(1);
    note(2);
    await breakers.stop();
    expect(calls).toHaveLength(2);
  });

  it('start and stop in any order', async () => {
    const { breakers, calls } = setUp();
    expect(await startStopStress(breakers, async () => calls.length === 0)).toBe(true);
  });
});
