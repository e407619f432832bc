import { afterEach, describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { Scheduler } from '../../libs/scheduled-jobs/src/engine/scheduler.js';
import { EventRecorder, eventually, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { startStopStress } from '../support/start-stop-stress.js';

/** Facts by a clock of the test, waits by the real one. */
class SettableClock {
  constructor(public now: Date | null) {}
  monotonicMs = (): number => performance.now();
  boundNow = (): Date | null => this.now;
}

describe('A scheduler', () => {
  const ledger = useLedger();
  const schedulers: Scheduler[] = [];
  afterEach(async () => {
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop()));
  });

  async function setUp(definitions: readonly JobDefinition[], now: string | null) {
    const clock = new SettableClock(now === null ? null : new Date(now));
    const recorder = new EventRecorder();
    await ledger().stores.schedules.register(definitions, clock.now);
    const make = () => {
      const store = ledger().storesOf(ledger().dataSource).schedules;
      const scheduler = new Scheduler({ store, definitions, clock, emit: recorder.emit });
      schedulers.push(scheduler);
      return scheduler;
    };
    return { clock, recorder, make, scheduler: make() };
  }
  const keys = async () =>
    (await ledger().sql<{ key: string }>('select key from executions order by id')).map(({ key }) => key);

  it('starts a new job at the present and catches up what it missed later, oldest first', async () => {
    const { clock, scheduler } = await setUp([scheduledJob('0 * * * *')], '2026-08-14T10:17:00Z');
    await scheduler.runOnce();
    expect(await keys()).toEqual([]);
    clock.now = new Date('2026-08-14T13:30:00Z');
    await scheduler.runOnce();
    expect(await keys()).toEqual(['11:00', '12:00', '13:00'].map((time) => `job:2026-08-14T${time}+00:00`));
  });

  it('makes the same rows when five of them catch up at once', async () => {
    const { clock, make, recorder } = await setUp([scheduledJob('0 * * * *')], '2026-08-14T00:30:00Z');
    clock.now = new Date('2026-08-15T00:30:00Z');
    await Promise.all(Array.from({ length: 5 }, () => make().runOnce()));
    expect(await keys()).toHaveLength(24);
    expect(recorder.of('schedule.failed')).toEqual([]);
    expect(recorder.of('service.failed')).toEqual([]);
  });

  it('lets one failing schedule stand still and moves the others', async () => {
    const period = (): string => {
      throw new Error('no label');
    };
    const jobs = [
      scheduledJob('* * * * *', { name: 'a' }),
      scheduledJob('* * * * *', { name: 'b', period }),
      scheduledJob('* * * * *', { name: 'c' }),
    ];
    const { clock, scheduler, recorder } = await setUp(jobs, '2026-08-14T10:00:30Z');
    clock.now = new Date('2026-08-14T10:01:00Z');
    await scheduler.runOnce();
    expect((await keys()).map((key) => key.slice(0, 1))).toEqual(['a', 'c']);
    expect(recorder.of('schedule.failed')).toMatchObject([{ job: 'b' }]);
    const { last_error } = await ledger().row<{ last_error: string }>(
      `select last_error from schedules where schedule_name = 'b'`,
    );
    expect(last_error).toContain('no label');
  });

  it('produces nothing again when its clock goes back, and goes on when it comes forward', async () => {
    const { clock, scheduler } = await setUp([scheduledJob('* * * * *')], '2026-08-14T10:00:30Z');
    for (const now of ['10:03:00', '09:03:00', '10:03:30', '10:05:00']) {
      clock.now = new Date(`2026-08-14T${now}Z`);
      await scheduler.runOnce();
    }
    expect(await keys()).toHaveLength(5);
  });

  it('goes by the database, whatever the clock of its process says', async () => {
    const { scheduler, recorder } = await setUp([scheduledJob('* * * * * *')], null);
    scheduler.start();
    await eventually(async () => (await keys()).length >= 2, { what: 'two periods' });
    await scheduler.stop();
    const { early } = await ledger().row<{ early: number }>(
      'select count(*)::int as early from executions where created_at < scheduled_for',
    );
    expect(early).toBe(0);
    expect(recorder.of('schedule.ticked').length).toBeLessThan(10);
  });

  it('is on time: a period is recorded within half a second', async () => {
    const { scheduler } = await setUp([scheduledJob('* * * * * *')], null);
    scheduler.start();
    await eventually(async () => (await keys()).length >= 3, { what: 'three periods' });
    await scheduler.stop();
    const { lateMs } = await ledger().row<{ lateMs: number }>(`
      select percentile_cont(0.5) within group (order by extract(epoch from created_at - scheduled_for) * 1000) as "lateMs" from executions`);
    expect(lateMs).toBeLessThan(500);
  });

  it('survives starts and stops in any order', async () => {
    const { scheduler, recorder } = await setUp([scheduledJob('* * * * *')], null);
    const quiet = await startStopStress(scheduler, async () => {
      const before = recorder.events.length;
      await ledger().sql('select 1');
      return recorder.events.length === before;
    });
    expect(quiet).toBe(true);
  });
});
