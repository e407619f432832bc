import { describe, expect, it } from 'vitest';
import { EventRecorder, eventually } from '../../../../test/support/engine.js';
import { ManualTimer } from '../../../../test/support/manual-timer.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import type { RescuedExecution } from '../core/ports/work-store.js';
import { Rescuer } from './rescuer.js';
import { SYSTEM_CLOCK } from '../core/system-clock.js';

const rescued = (executionId: string, parts: Partial<RescuedExecution> = {}): RescuedExecution => ({
  executionId,
  ending: null,
  workerId: 'dead',
  freedKey: null,
  ...parts,
});

function setUp(
  batches: readonly RescuedExecution[][],
  { leaseMs = 600_000, pollIntervalMs = 600_000 }: { readonly leaseMs?: number; readonly pollIntervalMs?: number } = {},
  time?: { readonly ms: number },
) {
  const timer = new ManualTimer();
  const recorder = new EventRecorder();
  const seen = { rescues: 0, admitted: [] as (readonly string[] | null)[], told: 0 };
  const rescuer = new Rescuer({
    store: {
      rescue: async () => batches[seen.rescues++] ?? [],
      admit: async (keys) => seen.admitted.push(keys),
    },
    clock: time === undefined ? SYSTEM_CLOCK : { ...SYSTEM_CLOCK, monotonicMs: () => time.ms },
    emit: recorder.emit,
    leaseMs,
    pollIntervalMs,
    timer,
    onRescued: () => seen.told++,
  });
  return { rescuer, recorder, seen, timer };
}

describe('Rescuer', () => {
  it('takes over what it finds, gives free slots on, and looks again at once after a full batch', async () => {
    const full = Array.from({ length: 100 }, (_, index) => rescued(String(index)));
    const { rescuer, recorder, seen } = setUp([full, [rescued('x', { ending: 'failed', freedKey: 'k' })]]);
    rescuer.start();
    await eventually(() => seen.told === 2);
    await rescuer.stop();
    expect(recorder.of('execution.rescued')).toHaveLength(101);
    expect(recorder.of('execution.rescued').at(-1)).toMatchObject({
      executionId: 'x',
      ending: 'failed',
      workerId: 'dead',
    });
    expect(seen).toMatchObject({ rescues: 2, admitted: [['k']] });
  });

  it.each([
    [{ leaseMs: 30_000, pollIntervalMs: 5_000 }, 5_000],
    [{ leaseMs: 6_000, pollIntervalMs: 5_000 }, 2_000],
    [{ leaseMs: 30_000, pollIntervalMs: 10 }, 250],
    [{ leaseMs: 600_000, pollIntervalMs: 600_000 }, 30_000],
  ])('looks at every poll, but three times in a lease: %o', async (times, expectedMs) => {
    const { rescuer, timer } = setUp([], times);
    rescuer.start();
    await eventually(() => timer.delayMs !== null);
    expect(timer.delayMs).toBe(expectedMs);
    await rescuer.stop();
  });

  it('lets a look for work stand for its own, and takes over at once what that found', async () => {
    const time = { ms: 0 };
    const { rescuer, seen, timer } = setUp([], { leaseMs: 30_000, pollIntervalMs: 5_000 }, time);
    rescuer.start();
    await eventually(() => timer.delayMs === 5_000);
    expect(rescuer.wantsLook).toBe(false);
    time.ms = 4_990;
    expect(rescuer.wantsLook).toBe(true);
    rescuer.looked(false, 4_990);
    time.ms = 5_000;
    timer.fire();
    await eventually(() => timer.delayMs === 5_090); // no look came in time: then it looks itself
    expect(seen.rescues).toBe(1);
    time.ms = 10_090;
    timer.fire();
    await eventually(() => seen.rescues === 2);
    await eventually(() => timer.delayMs === 5_000);
    rescuer.looked(true, 10_090);
    await eventually(() => seen.rescues === 3);
    await rescuer.stop();
  });

  it('lets a look go first that comes a moment after its own turn, so that an idle worker asks once', async () => {
    const time = { ms: 0 };
    const { rescuer, seen, timer } = setUp([], { leaseMs: 30_000, pollIntervalMs: 5_000 }, time);
    rescuer.start();
    await eventually(() => timer.delayMs === 5_000);
    time.ms = 5_000;
    timer.fire();
    await eventually(() => timer.delayMs === 100);
    time.ms = 5_020;
    expect(rescuer.wantsLook).toBe(true);
    rescuer.looked(false, 5_020);
    time.ms = 5_100;
    timer.fire();
    await eventually(() => timer.delayMs === 5_020);
    expect(seen.rescues).toBe(1);
    await rescuer.stop();
  });

  it('survives starts and stops in any order', async () => {
    const { rescuer, seen } = setUp([]);
    const quiet = await startStopStress(rescuer, async () => {
      const before = seen.rescues;
      await new Promise((resolve) => setImmediate(resolve));
      return seen.rescues === before;
    });
    expect(quiet).toBe(true);
  });
});
