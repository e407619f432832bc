import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { EventRecorder, eventually, gate } from '../../../../test/support/engine.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { ManualTimer } from '../../../../test/support/manual-timer.js';
import { FailurePause } from './failure-pause.js';
import { Loop } from './loop.js';

function setUp(turn: (turnNo: number) => number | Promise<number>) {
  const timer = new ManualTimer();
  const recorder = new EventRecorder();
  const counts = { turns: 0, atOnce: 0, mostAtOnce: 0 };
  const loop = new Loop({
    service: 'test',
    emit: recorder.emit,
    timer,
    pause: new FailurePause({ random: () => 1 }),
    turn: async () => {
      counts.turns++;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, ++counts.atOnce);
      try {
        return await turn(counts.turns);
      } finally {
        counts.atOnce--;
      }
    },
  });
  return { loop, timer, recorder, counts };
}
const asleep = (timer: ManualTimer) => eventually(() => timer.delayMs, { what: 'sleep' });

describe('Loop', () => {
  it('takes turns at once while there is more to do, then sleeps as long as the turn says', async () => {
    const { loop, timer, counts } = setUp((turnNo) => (turnNo < 5 ? 0 : 700));
    loop.start();
    expect(await asleep(timer)).toBe(700);
    expect(counts.turns).toBe(5);
    timer.fire();
    await asleep(timer);
    expect(counts.turns).toBe(6);
    await loop.stop();
  });

  it('takes one more turn after a wake-up during a turn, never two at once', async () => {
    const held = gate();
    const { loop, timer, counts } = setUp(async (turnNo) => {
      if (turnNo === 1) await held.passed;
      return 700;
    });
    loop.start();
    for (let count = 0; count < 10; count++) loop.wake();
    held.open();
    await asleep(timer);
    expect(counts).toMatchObject({ turns: 2, mostAtOnce: 1 });
    await loop.stop();
  });

  it('wakes from its sleep, and not once it is stopped', async () => {
    const { loop, timer, counts } = setUp(() => 700);
    loop.start();
    await asleep(timer);
    loop.wake();
    await eventually(() => counts.turns === 2);
    await loop.stop();
    expect(timer.delayMs).toBeNull();
    loop.wake();
    expect(counts.turns).toBe(2);
  });

  it('pauses after failures, longer each time, and no hint cuts the pause short', async () => {
    const { loop, timer, recorder, counts } = setUp((turnNo) => {
      if (turnNo <= 2) throw new Error(`failure ${turnNo}`);
      return 700;
    });
    loop.start();
    expect(await asleep(timer)).toBe(100);
    loop.wake();
    expect(counts.turns).toBe(1);
    timer.fire();
    expect(await asleep(timer)).toBe(200);
    timer.fire();
    expect(await asleep(timer)).toBe(700);
    expect(recorder.of('service.failed')).toMatchObject([
      { service: 'test', retryInMs: 100 },
      { service: 'test', retryInMs: 200 },
    ]);
    await loop.stop();
  });

  it('lets a stop wait for the turn that is going on', async () => {
    const held = gate();
    const { loop, counts } = setUp(async () => {
      await held.passed;
      return 0;
    });
    loop.start();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    held.open();
    await stopping;
    expect(counts).toMatchObject({ turns: 1, atOnce: 0 });
  });

  it('does not carry on the context of whoever woke it', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const { loop, timer } = setUp(() => {
      seen.push(context.getStore());
      return 700;
    });
    loop.start();
    await asleep(timer);
    context.run('a run', () => loop.wake());
    await eventually(() => seen.length === 2);
    expect(seen).toEqual([undefined, undefined]);
    await loop.stop();
  });

  it('survives starts and stops in any order', async () => {
    const { loop, timer, counts } = setUp(() => 700);
    const quiet = await startStopStress(loop, () => Promise.resolve(timer.delayMs === null && counts.atOnce === 0));
    expect(quiet).toBe(true);
    expect(counts.mostAtOnce).toBe(1);
  });
});
