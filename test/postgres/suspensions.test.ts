import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { SchedulePlanner } from '../../libs/scheduled-jobs/src/core/schedule/schedule-plan.js';
import { ledgerNames, advisoryLock } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { admitWaitingSql } from '../../libs/scheduled-jobs/src/postgres/statements/admit-waiting.sql.js';
import { eventually } from '../support/engine.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';
import { useLedger } from '../support/ledger-tests.js';
import { scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();
const [MINUTE, HOUR] = [60_000, 3_600_000];
const hours = (count: number) => after(count * HOUR);
const by = (now: Date, parts: { readonly actor?: string | null; readonly reason?: string | null } = {}) => ({
  actor: 'anna',
  reason: 'maintenance',
  now,
  ...parts,
});

/** A process: what it registers, and what its ticks do until nothing is due any more. */
function processOf(...definitions: JobDefinition[]) {
  const planner = new SchedulePlanner(definitions, expect.fail);
  return {
    register: (now: Date) => ledgerOf().stores.schedules.register(definitions, now),
    async tick(now: Date, limit = 100) {
      for (let ticks = 0; ; ticks++) {
        const request = { jobNames: planner.jobNames, limit, now };
        const { schedules, nextAt, failures } = await ledgerOf().stores.schedules.tick(request, (due) =>
          planner.plan(due),
        );
        expect(failures).toEqual([]);
        if (schedules === 0 || nextAt === null || nextAt > now) return { nextAt };
        expect(ticks).toBeLessThan(20);
      }
    },
  };
}

const hourly = (name = 'a', parts: Parameters<typeof scheduledJob>[0] = {}) =>
  scheduledJob({ name, expression: '0 * * * *', startAt: null, ...parts });
const suspensions = () => ledgerOf().stores.suspensions;
const executed = async (job = 'a') =>
  (
    await ledgerOf().sql<{ scheduled_for: Date }>(
      'select scheduled_for from executions where job_name = $1 order by scheduled_for',
      [job],
    )
  ).map((row) => (row.scheduled_for.getTime() - T0.getTime()) / HOUR);
const leftOut = async (job = 'a') =>
  (await ledgerOf().stores.ledger.schedule(job))?.skippedRanges
    .map(({ from, to, count, reason, actor }) => ({ from, to, count, reason, actor }))
    .toReversed();
const rows = () =>
  ledgerOf().sql(
    'select job_name, kind, from_at, to_at, catch_up, actor, reason, ended_by, end_reason from suspensions order by id',
  );

describe('a pause', () => {
  it('of five hours makes none of its periods run when it ends, and shows what was left out and who wanted it', async () => {
    const { register, tick } = processOf(hourly());
    await register(T0);
    await tick(hours(1));
    await suspensions().pause('a', by(after(30 * MINUTE, hours(1))));
    for (const hour of [2, 3, 4, 5, 6]) await tick(hours(hour));
    expect(await executed()).toEqual([1]);
    await suspensions().resume('a', { ...by(after(30 * MINUTE, hours(6))), catchUp: false });
    await tick(after(31 * MINUTE, hours(6)));
    expect(await executed()).toEqual([1]);
    expect(await leftOut()).toEqual([{ from: hours(2), to: hours(6), count: 5, reason: 'paused', actor: 'anna' }]);
    await tick(hours(7));
    expect(await executed()).toEqual([1, 7]);
  });

  it('of five hours is caught up where that is asked for', async () => {
    const { register, tick } = processOf(hourly());
    await register(T0);
    await suspensions().pause('a', by(after(30 * MINUTE)));
    await suspensions().resume('a', { ...by(after(30 * MINUTE, hours(5))), catchUp: true });
    await tick(after(31 * MINUTE, hours(5)));
    expect(await executed()).toEqual([1, 2, 3, 4, 5]);
    expect(await leftOut()).toEqual([]);
  });

  it('lets a tick that comes late record what was due before it, while it goes on', async () => {
    const { register, tick } = processOf(hourly('a'), hourly('b'));
    await register(T0);
    await tick(T0);
    await suspensions().pause('a', by(after(30 * MINUTE, hours(2))));
    await tick(after(30 * MINUTE, hours(4)));
    expect(await executed('a')).toEqual([1, 2]);
    expect(await executed('b')).toEqual([1, 2, 3, 4]);
    expect(await tick(after(45 * MINUTE, hours(4)))).toEqual({ nextAt: hours(5) });
    expect(await ledgerOf().row(`select cursor_at, next_at from schedules where job_name = 'a'`)).toEqual({
      cursor_at: hours(2),
      next_at: hours(3),
    });
  });

  it('takes no place among the schedules of a tick', async () => {
    const paused = Array.from({ length: 3 }, (_, index) => hourly(`paused-${index}`));
    const { register, tick } = processOf(...paused, hourly('z'));
    await register(T0);
    await tick(T0);
    for (const { name } of paused) await suspensions().pause(name, by(after(30 * MINUTE)));
    await tick(hours(1), 2);
    expect(await executed('z')).toEqual([1]);
  });

  it('holds up a definition that changes in it, and each part is left out by the one in force', async () => {
    const before = processOf(hourly());
    await before.register(T0);
    await before.tick(hours(1));
    await suspensions().pause('a', by(after(30 * MINUTE, hours(1))));
    const changed = processOf(hourly('a', { expression: '15 * * * *' }));
    await changed.register(after(30 * MINUTE, hours(3)));
    await changed.tick(after(45 * MINUTE, hours(3)));
    expect([await executed(), await leftOut()]).toEqual([[1], []]);
    await suspensions().resume('a', { ...by(after(30 * MINUTE, hours(5))), catchUp: false });
    await changed.tick(after(30 * MINUTE, hours(6)));
    expect(await executed()).toEqual([1, 6.25]);
    expect(await leftOut()).toEqual([{ from: hours(2), to: hours(5.25), count: 4, reason: 'paused', actor: 'anna' }]);
  });

  it('begins once: whoever asks again changes nothing, and the first one stays on record', async () => {
    expect(await suspensions().pause('a', by(T0))).toEqual({ changed: true, at: T0 });
    const again = by(hours(1), { actor: 'bert', reason: 'another' });
    expect(await suspensions().pause('a', again)).toEqual({ changed: false, at: T0 });
    expect(await rows()).toMatchObject([
      { job_name: 'a', from_at: T0, to_at: null, actor: 'anna', reason: 'maintenance' },
    ]);
  });

  it('begins once also when many ask at the same moment', async () => {
    const asked = await Promise.all(Array.from({ length: 10 }, () => suspensions().pause('a', by(T0))));
    expect(asked.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  it('ends once, and keeps who ended it and why', async () => {
    await suspensions().pause('a', by(T0));
    const resume = (now: Date, actor: string) =>
      suspensions().resume('a', { ...by(now, { actor, reason: 'done' }), catchUp: true });
    expect(await resume(hours(1), 'bert')).toEqual({ changed: true, at: hours(1) });
    expect(await resume(hours(2), 'carl')).toEqual({ changed: false, at: hours(2) });
    expect(await rows()).toEqual([
      {
        job_name: 'a',
        kind: 'paused',
        from_at: T0,
        to_at: hours(1),
        catch_up: true,
        actor: 'anna',
        reason: 'maintenance',
        ended_by: 'bert',
        end_reason: 'done',
      },
    ]);
  });

  it('never ends before it began, whatever the clock does', async () => {
    await suspensions().pause('a', by(hours(1)));
    expect(await suspensions().resume('a', { ...by(T0), catchUp: false })).toEqual({ changed: true, at: hours(1) });
  });

  it('is found as long as it goes on', async () => {
    expect(await suspensions().findPause('a')).toBeNull();
    await suspensions().pause('a', by(T0, { actor: null }));
    expect(await suspensions().findPause('a')).toEqual({
      kind: 'paused',
      from: T0,
      to: null,
      catchUp: false,
      actor: null,
      reason: 'maintenance',
    });
    await suspensions().resume('a', { ...by(hours(1)), catchUp: false });
    expect(await suspensions().findPause('a')).toBeNull();
  });

  it('takes the time of the database where none is bound', async () => {
    const { at } = await suspensions().pause('a', { actor: null, reason: null, now: null });
    const ended = await suspensions().resume('a', { actor: null, reason: null, now: null, catchUp: false });
    const { db } = await ledgerOf().row<{ db: Date }>('select now() as db');
    for (const instant of [at, ended.at]) expect(Math.abs(db.getTime() - instant.getTime())).toBeLessThan(60_000);
    expect(await ledgerOf().row('select from_at, to_at from suspensions')).toEqual({ from_at: at, to_at: ended.at });
  });

  it('tells listening workers when it ends, and only then', async () => {
    const client = await ledgerOf().client();
    const hints: string[] = [];
    client.on('notification', ({ channel }) => hints.push(channel));
    await client.query('listen scheduled_jobs_hints');
    await suspensions().pause('a', by(T0));
    await client.query('select 1');
    expect(hints).toEqual([]);
    await suspensions().resume('a', { ...by(hours(1)), catchUp: false });
    await suspensions().resume('a', { ...by(hours(2)), catchUp: false });
    await client.query('select 1');
    expect(hints).toEqual(['scheduled_jobs_hints']);
    await client.query('unlisten *');
  });
});

describe('executions of a paused job', () => {
  it('are not claimed while it is paused, and are once it is resumed', async () => {
    const ledger = ledgerOf();
    await ledger.jobs({ name: 'a' }, { name: 'b' });
    await ledger.insert({ jobName: 'a' }, { jobName: 'b' });
    await suspensions().pause('a', by(T0));
    expect((await ledger.claim()).map(({ jobName }) => jobName)).toEqual(['b']);
    await suspensions().resume('a', { ...by(T0), catchUp: false });
    expect((await ledger.claim()).map(({ jobName }) => jobName)).toEqual(['a']);
  });

  it('finish when they run, and keep their lease until then', async () => {
    const ledger = ledgerOf();
    await ledger.insert({ jobName: 'a' });
    const [claimed] = await ledger.claim();
    await suspensions().pause('a', by(T0));
    const lease = { ...claimed!, startedAt: T0 };
    expect(await ledger.stores.work.heartbeat([lease], after(1_000))).toHaveLength(1);
    const finished = await ledger.stores.work.finish([attemptRecord(claimed!)], { workerId: 'w1', now: after(2_000) });
    expect(finished).toHaveLength(1);
    expect(await ledger.row('select state from outcomes')).toEqual({ state: 'succeeded' });
  });

  it('give their slot to other jobs with the same concurrency key, unless they have started', async () => {
    const ledger = ledgerOf();
    const { work } = ledger.stores;
    await ledger.jobs({ name: 'a', concurrency: 2 }, { name: 'b', concurrency: 2 });
    await ledger.insert(...['a:started', 'a:first', 'b:1', 'a:second', 'b:2'].map(shared));
    await work.admit(['k']);
    const [started] = await ledger.claim({ take: 1 });
    const retry = attemptRecord(started!, { disposition: 'retry', outcome: 'failed', runAt: after(1_000) });
    await work.finish([retry], { workerId: 'w1', now: T0 });
    await suspensions().pause('a', by(T0));
    await work.admit(['k']);
    expect(await phases()).toEqual([
      'a:started delayed 1',
      'a:first waiting',
      'b:1 ready 2',
      'a:second waiting',
      'b:2 waiting',
    ]);
    expect((await ledger.claim()).map(({ key }) => key)).toEqual(['b:1']);
    await suspensions().resume('a', { ...by(T0), catchUp: false });
    await work.promote(10, after(1_000));
    expect((await ledger.claim({ now: after(1_000) })).map(({ key }) => key)).toEqual(['a:started']);
  });

  const shared = (key: string) => ({ jobName: key.slice(0, 1), key, concurrencyKey: 'k' });
  const phases = async () =>
    (
      await ledgerOf().sql<{ line: string }>(
        `select concat_ws(' ', e.key, w.phase, w.slot) as line from work w join executions e on e.id = w.execution_id order by e.id`,
      )
    ).map(({ line }) => line);

  it('get no slot from an admission that began before the pause', async () => {
    const ledger = ledgerOf();
    await ledger.jobs({ name: 'a' });
    await ledger.insert(shared('a:1'));
    const client = await ledger.client();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [...advisoryLock('scheduled_jobs', 'admit')]);
    const paused = suspensions().pause('a', by(T0));
    await eventually(async () => (await ledger.lockWaits('advisory')) > 0);
    await client.query(admitWaitingSql(ledgerNames('scheduled_jobs')), [['k'], false]);
    await client.query('commit');
    await paused;
    expect(await phases()).toEqual(['a:1 waiting']);
  });

  it('are claimed when only its schedule is orphaned', async () => {
    const ledger = ledgerOf();
    await ledger.insert({ jobName: 'a' });
    await ledger.sql(`insert into suspensions (job_name, kind, from_at) values ('a', 'orphaned', $1)`, [T0]);
    expect(await ledger.claim()).toHaveLength(1);
  });
});

describe('a schedule that nobody carries', () => {
  const TEN_MINUTES = 10 * MINUTE;
  const carriedAt = (at: Date | null, name = 'a') =>
    ledgerOf().sql('update schedule_versions set carried_at = $1 where schedule_name = $2', [at, name]);
  const orphans = (now: Date, observingSince = T0) =>
    suspensions().suspendOrphans({ forMs: TEN_MINUTES, observingSince, now });
  const comesBack = (now: Date) =>
    ledgerOf().sql(`update suspensions set to_at = $1 where kind = 'orphaned' and to_at is null`, [now]);

  it('is orphaned after ten minutes, from when it was last carried, and once', async () => {
    await processOf(hourly('a'), hourly('b')).register(T0);
    await carriedAt(after(MINUTE));
    await carriedAt(after(2 * MINUTE), 'b');
    expect(await orphans(after(TEN_MINUTES + MINUTE))).toEqual([]);
    expect(await orphans(after(TEN_MINUTES + MINUTE + 1))).toEqual(['a']);
    expect(await orphans(after(TEN_MINUTES + MINUTE + 2))).toEqual([]);
    expect(await rows()).toEqual([
      {
        job_name: 'a',
        kind: 'orphaned',
        from_at: after(MINUTE),
        to_at: null,
        catch_up: false,
        actor: null,
        reason: null,
        ended_by: null,
        end_reason: null,
      },
    ]);
  });

  it('is not orphaned by a process that has not looked for ten minutes itself', async () => {
    await processOf(hourly()).register(T0);
    await carriedAt(T0);
    expect(await orphans(hours(20), after(1 - TEN_MINUTES, hours(20)))).toEqual([]);
    expect(await orphans(hours(20), after(-TEN_MINUTES, hours(20)))).toEqual(['a']);
  });

  it('is not orphaned while one of its versions is carried, whichever', async () => {
    await processOf(hourly()).register(T0);
    await processOf(hourly('a', { expression: '15 * * * *' })).register(after(MINUTE));
    await ledgerOf().sql('update schedule_versions set carried_at = $1 where version = 1', [after(30 * MINUTE)]);
    await ledgerOf().sql('update schedule_versions set carried_at = $1 where version = 2', [after(MINUTE)]);
    expect(await orphans(after(40 * MINUTE))).toEqual([]);
    expect(await orphans(after(41 * MINUTE))).toEqual(['a']);
  });

  it('counts as carried when it was registered, where nothing else is known', async () => {
    await processOf(hourly()).register(after(5 * MINUTE));
    await carriedAt(null);
    expect(await orphans(after(15 * MINUTE))).toEqual([]);
    expect(await orphans(after(16 * MINUTE))).toEqual(['a']);
  });

  it('is none when it has another name now', async () => {
    await processOf(hourly()).register(T0);
    await carriedAt(T0);
    await ledgerOf().sql(`update schedules set renamed_to = 'b'`);
    expect(await orphans(hours(1))).toEqual([]);
  });

  it('stands still, and when it comes back catch-up decides over the whole stretch', async () => {
    const { register, tick } = processOf(
      hourly('a', { definition: { catchUp: { window: '4h' } } as never }),
      hourly('b'),
    );
    await register(T0);
    await tick(hours(1));
    await carriedAt(after(30 * MINUTE, hours(1)));
    await carriedAt(hours(40), 'b');
    expect(await orphans(hours(2))).toEqual(['a']);
    await tick(hours(20));
    expect(await executed('a')).toEqual([1]);
    expect(await executed('b')).toHaveLength(20);
    await comesBack(after(30 * MINUTE, hours(30)));
    await tick(after(31 * MINUTE, hours(30)));
    expect(await executed('a')).toEqual([1, 27, 28, 29, 30]);
    expect(await leftOut('a')).toEqual([{ from: hours(2), to: hours(26), count: 25, reason: 'orphaned', actor: null }]);
  });

  it('stands still until the pause that was on it ends, too', async () => {
    const { register, tick } = processOf(hourly());
    await register(T0);
    await carriedAt(T0);
    await orphans(after(11 * MINUTE));
    await suspensions().pause('a', by(after(30 * MINUTE, hours(2))));
    await comesBack(after(30 * MINUTE, hours(4)));
    await tick(hours(5));
    expect(await executed()).toEqual([1, 2]);
    await suspensions().resume('a', { ...by(after(30 * MINUTE, hours(6))), catchUp: false });
    await tick(hours(7));
    expect(await executed()).toEqual([1, 2, 7]);
    expect(await leftOut()).toEqual([{ from: hours(3), to: hours(6), count: 4, reason: 'paused', actor: 'anna' }]);
  });
});
