import { describe, expect, it, vi } from 'vitest';
import { backgroundJob, EventRecorder, eventually, scheduledJob } from '../../../../test/support/engine.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import type { InstanceFacts, InstanceStore } from '../core/ports/instance-store.js';
import type { RegisteredSchedule, ScheduleStore } from '../core/ports/schedule-store.js';
import { Presence } from './presence.js';
import type { WakeTimer } from './wake-timer.js';

const NOW = new Date('2026-08-14T06:00:00Z');
const FACTS: InstanceFacts = {
  instanceId: 'host:1:a',
  roles: ['scheduler'],
  workerId: null,
  version: '0.1.0',
  definitionsDigest: 'd',
  zoneData: '2026a',
};

function setUp(
  answer: () => Promise<readonly RegisteredSchedule[]> = async () => [],
  { random = 0.5, definitions = [scheduledJob('0 6 * * *'), backgroundJob({ name: 'other' })] }: Options = {},
) {
  const delays: number[] = [];
  const recorder = new EventRecorder();
  const timer: WakeTimer = { set: (delayMs) => void delays.push(delayMs), clear: () => undefined };
  const carry = vi.fn<ScheduleStore['carry']>(answer);
  const seen = vi.fn<InstanceStore['seen']>(async () => undefined);
  const stopped = vi.fn<InstanceStore['stopped']>(async () => undefined);
  const clock = { boundNow: () => NOW };
  const parts = { definitions, release: 7, clock, emit: recorder.emit, timer, random: () => random };
  const presence = new Presence({ store: { carry }, instances: { seen, stopped }, facts: () => FACTS, ...parts });
  return { presence, carry, seen, stopped, delays, recorder, definitions };
}

interface Options {
  readonly random?: number;
  readonly definitions?: readonly JobDefinition[];
}

describe('Presence', () => {
  it.each([
    [0, 27_000],
    [0.5, 30_000],
    [1, 33_000],
  ])('says at once and then about every 30 s which definitions it carries (%s)', async (random, delayMs) => {
    const { presence, carry, delays, definitions } = setUp(undefined, { random });
    presence.start();
    await eventually(() => delays.length > 0);
    expect(delays).toEqual([delayMs]);
    expect(carry.mock.calls).toEqual([[definitions, NOW, 7]]);
    await presence.stop();
  });

  it('tells what has become of its definitions', async () => {
    const { presence, recorder } = setUp(async () => [{ jobName: 'job', change: 'changed', version: 3 }]);
    presence.start();
    const event = await recorder.next('schedule.registered');
    expect(event).toEqual({ type: 'schedule.registered', job: 'job', change: 'changed', version: 3 });
    await presence.stop();
  });

  it('pauses after a failure of the store and goes on', async () => {
    const { presence, recorder, delays } = setUp(() => Promise.reject(new StoreUnavailableError('carry')));
    presence.start();
    expect(await recorder.next('service.failed')).toMatchObject({ service: 'presence' });
    await eventually(() => delays.length > 0);
    expect(delays[0]).toBeLessThanOrEqual(100);
    await presence.stop();
  });

  it('carries nothing in a process without schedules, and says that it is alive', async () => {
    const { presence, carry, seen } = setUp(undefined, { definitions: [backgroundJob()] });
    presence.start();
    await presence.stop();
    expect(carry).not.toHaveBeenCalled();
    expect(seen.mock.calls).toEqual([[FACTS, NOW]]);
  });

  it('stops within 5 s while the database does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { presence } = setUp(() => new Promise(() => undefined));
    presence.start();
    const stopped = presence.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(stopped).resolves.toBeUndefined();
    vi.useRealTimers();
  });

  it('says once that its process has stopped, whatever the database answers', async () => {
    const { presence, stopped } = setUp();
    stopped.mockRejectedValue(new StoreUnavailableError('note'));
    presence.start();
    await presence.stop();
    expect(stopped).not.toHaveBeenCalled();
    await presence.leave();
    await presence.leave();
    expect(stopped.mock.calls).toEqual([['host:1:a', NOW]]);
  });

  it('asks nothing of a database that has failed it, nor for a process that it has not noted', async () => {
    const { presence, recorder, stopped } = setUp(() => Promise.reject(new StoreUnavailableError('carry')));
    presence.start();
    await recorder.next('service.failed');
    await presence.leave();
    const other = setUp();
    await other.presence.leave();
    for (const calls of [stopped, other.stopped]) expect(calls).not.toHaveBeenCalled();
  });

  it('survives starts and stops in any order', async () => {
    const { presence, carry } = setUp();
    const quiet = await startStopStress(presence, async () => {
      const before = carry.mock.calls.length;
      await new Promise((resolve) => setImmediate(resolve));
      return carry.mock.calls.length === before;
    });
    expect(quiet).toBe(true);
  });
});
