import { afterEach, describe, expect, it } from 'vitest';
import { Scheduler } from '../../libs/scheduled-jobs/src/engine/scheduler.js';
import { expectComplete } from '../support/completeness.js';
import { EventRecorder, eventually, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { allCaughtUp, FLAWLESS, periodAccount, periodCounts, timePasses } from '../support/period-account.js';
import { SettableClock } from '../support/settable-clock.js';

const SOAK = process.env['SOAK'] === '1';
const LOCKED_MS = SOAK ? 60_000 : 5_000;

describe('A tick whose rows the database refuses', () => {
  const ledger = useLedger();
  const schedulers: Scheduler[] = [];
  afterEach(async () => {
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop()));
    await ledger().sql('drop trigger if exists refuse on executions');
  });

  async function setUp(names: readonly string[], now: Date | null) {
    const definitions = names.map((name) => scheduledJob('* * * * * *', { name }));
    const clock = new SettableClock(now);
    const recorder = new EventRecorder();
    const store = ledger().stores.schedules;
    await store.register(definitions, now);
    const scheduler = new Scheduler({ store, definitions, clock, emit: recorder.emit });
    schedulers.push(scheduler);
    return { clock, recorder, scheduler, definitions };
  }
  const standing = () =>
    ledger().sql('select job_name, cursor_at, last_error from schedules where last_error is not null');

  it('of one job of ten, lets the nine others go on, keeps its cursor, and is caught up when it may', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `job${n}`);
    const { clock, recorder, scheduler, definitions } = await setUp(names, T0);
    await ledger().sql(`
      create or replace function public.refuse() returns trigger language plpgsql as 'begin raise exception ''not today''; end'`);
    await ledger().sql(`
      create trigger refuse before insert on executions for each row when (new.job_name = 'job6') execute function public.refuse()`);
    for (let second = 1; second <= 12; second++) {
      clock.now = after(second * 1_000);
      await scheduler.runOnce();
    }
    expect(await periodCounts(ledger())).toEqual(
      Object.fromEntries(names.filter((name) => name !== 'job6').map((name) => [name, 12])),
    );
    expect(await standing()).toEqual([{ job_name: 'job6', cursor_at: T0, last_error: 'error: not today' }]);
    // It rests for 1, 2 and 4 s after its failures, so it was tried at 1, 2, 4 and 8 s.
    expect(recorder.of('schedule.failed').map(({ job }) => job)).toEqual(Array.from({ length: 4 }, () => 'job6'));

    await ledger().sql('drop trigger refuse on executions');
    clock.now = after(20_000);
    await scheduler.runOnce();
    expect(await periodCounts(ledger())).toEqual(Object.fromEntries(names.map((name) => [name, 20])));
    expect(await standing()).toEqual([]);
    expect(await periodAccount(ledger())).toEqual(FLAWLESS);
    await expectComplete(ledger(), definitions);
  });

  it(
    'because of a lock on the table, is caught up when the lock is gone, after however many periods',
    async () => {
      const { scheduler, recorder } = await setUp(['one', 'two'], null);
      scheduler.start();
      await eventually(async () => Object.keys(await periodCounts(ledger())).length === 2, {
        what: 'the first periods',
      });
      const client = await ledger().client();
      await client.query('begin');
      await client.query('lock table executions in access exclusive mode');
      await timePasses(ledger(), LOCKED_MS);
      await client.query('commit');
      // A schedule that has failed for long rests for up to a minute.
      await allCaughtUp(ledger(), { withinMs: 75_000 });
      await scheduler.stop();
      expect(recorder.of('schedule.failed').map(({ error }) => error)).toContainEqual(
        expect.objectContaining({ code: '55P03' }),
      );
      expect(await periodAccount(ledger())).toEqual(FLAWLESS);
      expect(Math.min(...Object.values(await periodCounts(ledger())))).toBeGreaterThan(LOCKED_MS / 1_000);
    },
    LOCKED_MS + 120_000,
  );
});
