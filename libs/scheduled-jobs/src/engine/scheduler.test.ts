import { describe, expect, it, vi } from 'vitest';
import { backgroundJob, EventRecorder, eventually, gate, scheduledJob } from '../../../../test/support/engine.js';
import { ManualTimer } from '../../../../test/support/manual-timer.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { TickSummary } from '../core/ports/schedule-store.js';
import { Scheduler } from './scheduler.js';
import type { WakeTimer } from './wake-timer.js';

const NOW = new Date('2026-08-14T06:00:00Z');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const tick = (parts: Partial<TickSummary> = {}): TickSummary => ({
  schedules: 0,
  inserted: 0,
  skipped: 0,
  leftOut: 0,
  failures: [],
  nextAt: inMs(3_600_000),
  now: NOW,
  ...parts,
});

function setUp(answer: (tickNo: number) => TickSummary | Promise<TickSummary>) {
  const delays: number[] = [];
  const recorder = new EventRecorder();
  const seen = { ticks: 0, atOnce: 0, mostAtOnce: 0, requests: [] as unknown[] };
  const timer: WakeTimer = { set: (delayMs) => void delays.push(delayMs), clear: () => undefined };
  const scheduler = new Scheduler({
    store: {
      tick: async (request) => {
        seen.requests.push(request);
        seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce);
        try {
          return await answer(++seen.ticks);
        } finally {
          seen.atOnce--;
        }
      },
    },
    definitions: [scheduledJob('0 6 * * *'), backgroundJob({ name: 'other' })],
    clock: { monotonicMs: () => 0, boundNow: () => null },
    emit: recorder.emit,
    timer,
  });
  return { scheduler, delays, recorder, seen };
}

describe('Scheduler', () => {
  it('stops within 5 s while the database does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { scheduler } = setUp(() => new Promise(() => undefined));
    scheduler.start();
    const stopped = scheduler.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(stopped).resolves.toBeUndefined();
    vi.useRealTimers();
  });

  it('sleeps until the next period, at most 30 s', async () => {
    const { scheduler, delays, seen } = setUp((tickNo) => tick({ nextAt: inMs(tickNo === 1 ? 1_234 : 86_400_000) }));
    scheduler.start();
    await eventually(() => delays.length > 0);
    expect(delays).toEqual([1_234]);
    expect(seen.requests).toEqual([{ jobNames: ['job'], limit: 1_000, now: null, isDue: false }]);
    await scheduler.stop();
    scheduler.start();
    await eventually(() => delays.length > 1);
    expect(delays[1]).toBe(30_000);
    await scheduler.stop();
  });

  it('ticks again at once while something is due that it can take', async () => {
    const { scheduler, delays, seen, recorder } = setUp((tickNo) =>
      tickNo < 4 ? tick({ schedules: 1, inserted: 1_000, nextAt: inMs(-1) }) : tick(),
    );
    scheduler.start();
    await eventually(() => delays.length > 0);
    expect(seen.ticks).toBe(4);
    expect(recorder.of('schedule.ticked').map(({ inserted }) => inserted)).toEqual([1_000, 1_000, 1_000, 0]);
    await scheduler.stop();
  });

  it('waits a little for schedules that are due but locked by somebody else', async () => {
    const { scheduler, delays } = setUp(() => tick({ nextAt: inMs(-5_000) }));
    scheduler.start();
    await eventually(() => delays.length > 0);
    expect(delays).toEqual([100]);
    await scheduler.stop();
  });

  it('leaves what only other processes can plan to them, and looks at it again after a tick interval', async () => {
    const shape = { period: 'custom', periodOf: 'current', dst: {}, disabled: false };
    const version = { version: 2, validFrom: NOW, expression: '0 6 * * *', timeZone: 'UTC', shape };
    const planned: unknown[] = [];
    const requests: (readonly string[])[] = [];
    let monotonicMs = 0;
    const scheduler = new Scheduler({
      store: {
        tick: async ({ jobNames }, plan) => {
          requests.push(jobNames);
          for (const jobName of jobNames.filter((name) => name !== 'own')) {
            planned.push(plan({ jobName, cursorAt: NOW, now: NOW, versions: [version], suspensions: [] }));
          }
          return tick({ nextAt: NOW });
        },
      },
      definitions: [scheduledJob('0 6 * * *', { name: 'foreign' }), scheduledJob('0 6 * * *', { name: 'own' })],
      clock: { monotonicMs: () => monotonicMs, boundNow: () => null },
      emit: () => undefined,
    });
    for (const ms of [0, 100, 29_999, 30_000]) {
      monotonicMs = ms;
      await scheduler.runOnce();
    }
    expect(requests).toEqual([['foreign', 'own'], ['own'], ['own'], ['foreign', 'own']]);
    expect(planned).toEqual([null, null]);
  });

  it('looks every 30 s when nothing fires ever again', async () => {
    const { scheduler, delays } = setUp(() => tick({ nextAt: null }));
    scheduler.start();
    await eventually(() => delays.length > 0);
    expect(delays).toEqual([30_000]);
    await scheduler.stop();
  });

  it('tells of schedules that stand still', async () => {
    const error = new Error('period function');
    const { scheduler, recorder } = setUp(() => tick({ failures: [{ jobName: 'job', error }] }));
    await scheduler.runOnce();
    expect(recorder.of('schedule.failed')).toEqual([{ type: 'schedule.failed', job: 'job', error }]);
  });

  it('pauses after a failure of the store and goes on', async () => {
    const { scheduler, recorder, delays } = setUp((tickNo) => {
      if (tickNo === 1) throw new StoreUnavailableError('tick');
      return tick();
    });
    scheduler.start();
    expect(await recorder.next('service.failed')).toMatchObject({ service: 'scheduler' });
    await eventually(() => delays.length > 0);
    expect(delays[0]).toBeLessThanOrEqual(100);
    expect(scheduler.lastTickAt).toBeNull();
    await scheduler.stop();
  });

  it('never ticks twice at once, also when it is asked for one tick while its loop runs', async () => {
    const first = gate();
    const { scheduler, seen } = setUp(async (tickNo) => {
      if (tickNo === 1) await first.passed;
      return tick();
    });
    scheduler.start();
    const asked = [scheduler.runOnce(), scheduler.runOnce()];
    first.open();
    await Promise.all(asked);
    expect(seen).toMatchObject({ ticks: 3, mostAtOnce: 1 });
    await scheduler.stop();
  });

  it('ticks until nothing is due when it is run once, tells what all ticks did, and passes failures on', async () => {
    const failures = [{ jobName: 'job', error: new Error('period function') }];
    const { scheduler, seen } = setUp((tickNo) => {
      if (tickNo === 3) throw new StoreUnavailableError('tick');
      return tickNo === 1
        ? tick({ schedules: 100, inserted: 90, skipped: 4, leftOut: 1_000, failures, nextAt: NOW })
        : tick({ schedules: 1, inserted: 2, skipped: 3, leftOut: 4 });
    });
    expect(await scheduler.runOnce()).toEqual(
      tick({ schedules: 101, inserted: 92, skipped: 7, leftOut: 1_004, failures }),
    );
    expect(seen.ticks).toBe(2);
    expect(scheduler.lastTickAt).toEqual(NOW);
    expect(scheduler.sinceLastTickMs).toBe(0);
    await expect(scheduler.runOnce()).rejects.toThrow(StoreUnavailableError);
  });

  it('goes on when it is run once behind a batch of schedules that all stand still', async () => {
    const failures = [{ jobName: 'job', error: new Error('period function') }];
    const { scheduler } = setUp((tickNo) =>
      tickNo === 1 ? tick({ schedules: 0, failures, nextAt: NOW }) : tick({ schedules: 1, inserted: 2 }),
    );
    expect(await scheduler.runOnce()).toEqual(tick({ schedules: 1, inserted: 2, failures }));
  });

  it('tells one that has stopped from one that sleeps: by more than three tick intervals since its last tick', async () => {
    let monotonicMs = 0;
    const timer = new ManualTimer();
    const scheduler = new Scheduler({
      store: { tick: async () => tick() },
      definitions: [scheduledJob('0 6 * * *')],
      clock: { monotonicMs: () => monotonicMs, boundNow: () => null },
      emit: () => undefined,
      timer,
    });
    expect(scheduler.sinceLastTickMs).toBeNull();
    scheduler.start();
    for (let wakeUps = 0; wakeUps < 10; wakeUps++) {
      monotonicMs += await eventually(() => timer.delayMs);
      expect(scheduler.sinceLastTickMs).toBeLessThanOrEqual(30_000);
      timer.fire();
    }
    await eventually(() => timer.delayMs);
    monotonicMs += 90_001; // its timer does not fire any more
    expect(scheduler.sinceLastTickMs).toBeGreaterThan(3 * 30_000);
    expect(scheduler.lastTickAt).toEqual(NOW);
    await scheduler.stop();
  });

  it('refuses a tick interval that cannot work', () => {
    const make = (options: object) => () =>
      new Scheduler(
        {
          store: { tick: async () => tick() },
          definitions: [],
          clock: { monotonicMs: () => 0, boundNow: () => null },
          emit: () => undefined,
        },
        options,
      );
    expect(make({ tickIntervalMs: 30_001 })).toThrow(/from 10 to 30000, got 30001/);
    expect(make({ tickInterval: 5 })).toThrow(/Did you mean "tickIntervalMs"/);
  });

  it('survives starts and stops in any order', async () => {
    const { scheduler, seen } = setUp(() => tick());
    const quiet = await startStopStress(scheduler, async () => {
      const before = seen.ticks;
      await new Promise((resolve) => setImmediate(resolve));
      return seen.ticks === before && seen.atOnce === 0;
    });
    expect(quiet).toBe(true);
  });
});
