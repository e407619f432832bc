import { afterEach, describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { Scheduler } from '../../libs/scheduled-jobs/src/engine/scheduler.js';
import { EventRecorder, eventually, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution } from '../support/ledger.js';
import { ManualTimer } from '../support/manual-timer.js';
import { SettableClock } from '../support/settable-clock.js';
import { startStopStress } from '../support/start-stop-stress.js';

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
  /** Ticks are routine: the log has them at its lowest level. */
  const expectNothingToTell = ({ events }: EventRecorder) =>
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['schedule.ticked']));
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

  it.each([
    ['in its first millisecond', '2026-08-14T04:00:00.001Z'],
    ['within its second', '2026-08-14T04:00:00.900Z'],
    ['a day late', '2026-08-15T03:59:00Z'],
  ])('gives a period the same key whenever its tick comes: %s', async (_name, now) => {
    const job = scheduledJob('0 6 * * *', { name: 'daily-report', timeZone: 'Europe/Berlin' });
    const { clock, scheduler } = await setUp([job], '2026-08-13T12:00:00Z');
    clock.now = new Date(now);
    await scheduler.runOnce();
    expect(await ledger().sql('select key, scheduled_for from executions')).toEqual([
      { key: 'daily-report:2026-08-14', scheduled_for: new Date('2026-08-14T04:00:00Z') },
    ]);
  });

  it('makes nothing when its timer fires a millisecond early, and exactly one row after', async () => {
    const { clock, scheduler } = await setUp([scheduledJob('0 5,6 * * *')], '2026-08-14T04:30:00Z');
    const rows: number[] = [];
    for (const time of ['05:00:00.020', '05:59:59.999', '05:59:59.999', '06:00:00.050', '06:00:00.051']) {
      clock.now = new Date(`2026-08-14T${time}Z`);
      await scheduler.runOnce();
      rows.push((await keys()).length);
    }
    expect(rows).toEqual([1, 1, 1, 2, 2]);
    expect(await keys()).toEqual(['job:2026-08-14T05:00+00:00', 'job:2026-08-14T06:00+00:00']);
  });

  it.each([61, 125])('loses no minute when its tick is %i s late', async (seconds) => {
    const { clock, scheduler } = await setUp([scheduledJob('* * * * *')], '2026-08-14T09:59:30Z');
    const minute = new Date('2026-08-14T10:00:00Z');
    for (const late of [0, 60 + seconds]) {
      clock.now = after(late * 1_000, minute);
      await scheduler.runOnce();
    }
    const minutes = Array.from({ length: 2 + Math.floor(seconds / 60) }, (_, n) => `job:2026-08-14T10:0${n}+00:00`);
    expect(await keys()).toEqual(minutes);
  });

  it('needs no process that lives as long as its period: started again every half minute, it makes each once', async () => {
    const job = scheduledJob('*/2 * * * *');
    const { clock, make } = await setUp([job], '2026-08-14T10:00:20Z');
    for (let restart = 0; restart < 13; restart++) {
      await ledger().stores.schedules.register([job], clock.now);
      await make().runOnce();
      clock.now = after(30_000, clock.now!);
    }
    expect(await keys()).toEqual(['02', '04', '06'].map((minute) => `job:2026-08-14T10:${minute}+00:00`));
  });

  it('wakes twice a minute while the next period is a year away, and makes nothing', async () => {
    const definitions = [scheduledJob('0 0 1 1 *')];
    const { clock } = await setUp(definitions, '2027-01-02T00:00:00Z');
    const timer = new ManualTimer();
    const store = ledger().stores.schedules;
    const scheduler = new Scheduler({ store, definitions, clock, timer, emit: new EventRecorder().emit });
    schedulers.push(scheduler);
    scheduler.start();
    const sleeps: number[] = [];
    for (let sleptMs = 0; sleptMs < 60_000; sleptMs += sleeps.at(-1)!) {
      sleeps.push(await eventually(() => timer.delayMs));
      clock.now = after(sleeps.at(-1)!, clock.now!);
      timer.fire();
    }
    expect(sleeps).toEqual([30_000, 30_000]);
    expect(await keys()).toEqual([]);
  });

  it('makes the same rows when five of them catch up at once, and has nothing to tell of it', async () => {
    const { clock, make, recorder } = await setUp([scheduledJob('0 * * * *')], '2026-08-14T00:30:00Z');
    clock.now = new Date('2026-08-15T00:30:00Z');
    await Promise.all(Array.from({ length: 5 }, () => make().runOnce()));
    expect(await keys()).toHaveLength(24);
    expectNothingToTell(recorder);
  });

  it('lets somebody else have a period that both make at the same moment, and makes the other ones', async () => {
    const jobs = ['a', 'b'].map((name) => scheduledJob('0 * * * *', { name }));
    const { clock, scheduler, recorder } = await setUp(jobs, '2026-08-14T10:30:00Z');
    clock.now = new Date('2026-08-14T11:00:00Z');
    const key = 'a:2026-08-14T11:00+00:00';
    const runner = ledger().dataSource.createQueryRunner();
    await runner.startTransaction();
    const theirs = newExecution({ jobName: 'a', key, scheduledFor: clock.now });
    await ledger().stores.executions.insert([theirs], { tx: runner.manager, now: clock.now });
    const ticked = scheduler.runOnce();
    await eventually(async () => (await ledger().lockWaits('transactionid')) > 0, {
      what: 'the tick to wait for the key',
    });
    await runner.commitTransaction();
    await runner.release();
    expect(await ticked).toMatchObject({ schedules: 2, inserted: 1, failures: [] });
    expect(await keys()).toEqual([key, 'b:2026-08-14T11:00+00:00']);
    expectNothingToTell(recorder);
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
