import { describe, expect, it } from 'vitest';
import type { DueSchedule, SchedulePlan } from '../../libs/scheduled-jobs/src/core/ports/schedule-store.js';
import { SchedulePlanner } from '../../libs/scheduled-jobs/src/core/schedule/schedule-plan.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { moveCursorsSql } from '../../libs/scheduled-jobs/src/postgres/statements/move-cursors.sql.js';
import { after, newExecution, T0 } from '../support/ledger.js';
import { useLedger } from '../support/ledger-tests.js';
import { everySecond, scheduledJob, secondOf } from '../support/schedules.js';

const ledgerOf = useLedger();
const names = ['a', 'b', 'c'];
const register = (...jobNames: string[]) =>
  ledgerOf().stores.schedules.register(
    jobNames.map((name) => scheduledJob({ name })),
    T0,
  );
const tick = (now: Date, plan: (due: DueSchedule) => SchedulePlan | null = everySecond(), limit = 100) =>
  ledgerOf().stores.schedules.tick({ jobNames: names, limit, now }, plan);
const cursors = () =>
  ledgerOf().sql(
    'select job_name, cursor_at, next_at, last_error, failures, retry_at from schedules order by job_name',
  );

describe('tick', () => {
  it('writes the executions of all due schedules and moves their cursors', async () => {
    await register('a', 'b');
    expect(await tick(after(3_500))).toEqual({
      schedules: 2,
      inserted: 6,
      skipped: 0,
      leftOut: 0,
      failures: [],
      nextAt: after(4_000),
      now: after(3_500),
    });
    expect(await cursors()).toMatchObject([
      { job_name: 'a', cursor_at: after(3_000), next_at: after(4_000) },
      { job_name: 'b', cursor_at: after(3_000), next_at: after(4_000) },
    ]);
    expect(
      await ledgerOf().row(
        'select count(*)::int as n, min(scheduled_for) as first, max(scheduled_for) as last from executions',
      ),
    ).toEqual({
      n: 6,
      first: after(1_000),
      last: after(3_000),
    });
  });

  it('does nothing and asks for no plan while nothing is due, and tells when the next is', async () => {
    await register('a');
    await tick(after(500));
    const never = () => {
      throw new Error('not asked');
    };
    expect(await tick(after(900), never)).toEqual({
      schedules: 0,
      inserted: 0,
      skipped: 0,
      leftOut: 0,
      failures: [],
      nextAt: after(1_000),
      now: after(900),
    });
  });

  it('looks only at the schedules of this process', async () => {
    await register('a', 'elsewhere');
    await tick(after(1_000));
    expect(await ledgerOf().sql('select distinct job_name from executions')).toEqual([{ job_name: 'a' }]);
  });

  it('tells of no next occurrence once a schedule never fires again, and leaves it alone', async () => {
    await register('a');
    await tick(after(1_000), (due) => ({ ...everySecond()(due), nextAt: null }));
    expect(await tick(after(90_000))).toMatchObject({ schedules: 0, nextAt: null });
  });

  it('ticks no more schedules than the limit, the longest due first', async () => {
    await register('a', 'b');
    await tick(after(1_000));
    await ledgerOf().sql('update schedules set next_at = $1 where job_name = $2', [after(500), 'b']);
    expect(await tick(after(2_000), everySecond(), 1)).toMatchObject({ schedules: 1 });
    expect(await cursors()).toMatchObject([{ cursor_at: after(1_000) }, { cursor_at: after(2_000) }]);
  });

  it('leaves further schedules to the next tick once it has planned 10,000 executions', async () => {
    await register('a', 'b', 'c');
    const planned: string[] = [];
    const many = (due: DueSchedule): SchedulePlan => {
      planned.push(due.jobName);
      return everySecond(5_000)(due);
    };
    expect(await tick(after(5_000_000), many)).toMatchObject({ schedules: 2, inserted: 10_000, nextAt: T0 });
    expect(planned).toEqual(['a', 'b']);
    expect(await tick(after(5_000_000), many)).toMatchObject({ schedules: 1, inserted: 5_000 });
  });

  it('inserts nothing twice when the same periods are planned again', async () => {
    await register('a');
    await tick(after(3_000));
    await ledgerOf().sql('delete from executions; delete from work');
    await ledgerOf().sql('update schedules set cursor_at = $1, next_at = $1', [T0]);
    expect(await tick(after(3_000))).toMatchObject({ schedules: 1, inserted: 0 });
  });

  it('counts what is born skipped apart and records what is left out', async () => {
    await register('a');
    const summary = await tick(after(10_000), (due) => ({
      executions: [
        { ...secondOf(due.jobName, T0.getTime() / 1_000 + 1), skip: 'excluded' },
        secondOf(due.jobName, T0.getTime() / 1_000 + 10),
      ],
      skippedRange: { from: after(2_000), to: after(9_000), count: 8, reason: 'catch-up', actor: 'anna' },
      cursorAt: after(10_000),
      nextAt: after(11_000),
    }));
    expect(summary).toMatchObject({ schedules: 1, inserted: 1, skipped: 1, leftOut: 8 });
    expect(
      await ledgerOf().sql(
        'select job_name, from_at, to_at, occurrences, reason, actor, created_at from skipped_ranges',
      ),
    ).toEqual([
      {
        job_name: 'a',
        from_at: after(2_000),
        to_at: after(9_000),
        occurrences: '8',
        reason: 'catch-up',
        actor: 'anna',
        created_at: after(10_000),
      },
    ]);
  });

  it('gives the plan the cursor, the time of the tick and the versions in force behind the cursor', async () => {
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'a', expression: '0 * * * * *' })], T0);
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'a', expression: '1 * * * * *' })], after(1_000));
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'a', expression: '2 * * * * *' })], after(2_000));
    const seen: DueSchedule[] = [];
    const look = (cursorAt: Date) => (due: DueSchedule) => {
      seen.push(due);
      return { executions: [], skippedRange: null, cursorAt, nextAt: due.now };
    };
    await tick(after(5_000), look(after(1_000)));
    await tick(after(5_000), look(after(5_000)));
    await tick(after(5_000), look(after(5_000)));
    expect(seen[0]).toMatchObject({ jobName: 'a', cursorAt: T0, now: after(5_000) });
    expect(seen.map(({ versions }) => versions.map(({ version }) => version))).toEqual([[1, 2, 3], [2, 3], [3]]);
    expect(seen[0]!.versions[1]).toEqual({
      version: 2,
      validFrom: after(1_000),
      expression: '1 * * * * *',
      timeZone: 'UTC',
      shape: { period: 'auto', periodOf: 'current', dst: { gap: 'next-valid', fold: 'first' }, disabled: false },
    });
  });

  it('takes the time of the database where none is bound', async () => {
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'a', startAt: null })], null);
    const { now, failures } = await ledgerOf().stores.schedules.tick(
      { jobNames: ['a'], limit: 10, now: null },
      everySecond(),
    );
    expect(failures).toEqual([]);
    const { db } = await ledgerOf().row<{ db: Date }>('select now() as db');
    expect(Math.abs(db.getTime() - now.getTime())).toBeLessThan(60_000);
  });
});

describe('the move of a cursor', () => {
  it('happens only from where the tick found it, and so does the record of what was left out', async () => {
    await register('a');
    const move = (cursorOld: Date) =>
      ledgerOf().dataSource.query<unknown[]>(moveCursorsSql(ledgerNames('scheduled_jobs')), [
        ['a'],
        [cursorOld],
        [after(9_000)],
        [after(10_000)],
        [after(1_000)],
        [after(2_000)],
        [2],
        ['catch-up'],
        [null],
        after(9_000),
      ]);
    expect(await move(after(1))).toEqual([]);
    expect(await ledgerOf().sql('select 1 from skipped_ranges')).toEqual([]);
    expect(await move(T0)).toEqual([{ schedule_name: 'a' }]);
    expect(await ledgerOf().sql('select 1 from skipped_ranges')).toHaveLength(1);
  });
});

describe('what is left out tick after tick', () => {
  const leavingOut =
    (reason: 'disabled' | 'paused', actor: string | null = null, gapMs = 0) =>
    (due: DueSchedule): SchedulePlan => ({
      executions: [],
      skippedRange: { from: after(1_000, due.cursorAt), to: after(-gapMs, due.now), count: 10, reason, actor },
      cursorAt: due.now,
      nextAt: due.now,
    });
  const ranges = () =>
    ledgerOf().sql(
      'select from_at, to_at, occurrences::int as n, reason, actor, created_at from skipped_ranges order by id',
    );

  it('is one range as long as nothing comes between', async () => {
    await register('a', 'b');
    for (const seconds of [10, 20, 30]) {
      expect(await tick(after(seconds * 1_000), leavingOut('disabled'))).toMatchObject({ schedules: 2, leftOut: 20 });
    }
    const range = { from_at: after(1_000), to_at: after(30_000), n: 30, reason: 'disabled', actor: null };
    expect(await ranges()).toEqual([
      { ...range, created_at: after(10_000) },
      { ...range, created_at: after(10_000) },
    ]);
  });

  it.each([
    ['the reason is another', [leavingOut('disabled'), leavingOut('paused')]],
    ['somebody else wanted it so', [leavingOut('paused', 'anna'), leavingOut('paused', 'bert')]],
    ['nobody wanted it so any more', [leavingOut('paused', 'anna'), leavingOut('paused')]],
    ['there was an execution in between', [leavingOut('disabled', null, 2_000), leavingOut('disabled')]],
  ])('is two ranges where %s', async (_name, plans) => {
    await register('a');
    for (const [index, plan] of plans.entries()) await tick(after((index + 1) * 10_000), plan);
    expect((await ranges()).map(({ from_at: from, n }) => [from, n])).toEqual([
      [after(1_000), 10],
      [after(11_000), 10],
    ]);
  });

  it('of a minutely job that was disabled for a day is one range of 1,440', async () => {
    const day = scheduledJob({ name: 'a', expression: '* * * * *', disabled: true });
    await ledgerOf().stores.schedules.register([day], T0);
    const planner = new SchedulePlanner([day], expect.fail);
    for (let minutes = 10; minutes <= 1_440; minutes += 10) {
      await tick(after(minutes * 60_000), (due) => planner.plan(due));
    }
    const [range, ...others] = await ranges();
    expect(range).toMatchObject({ from_at: after(60_000), to_at: after(86_400_000), n: 1_440, reason: 'disabled' });
    expect(others).toEqual([]);
  });
});

describe('a schedule that this process cannot plan', () => {
  it('stays as it is, without a failure, and the others go on', async () => {
    await register('a', 'b', 'c');
    const summary = await tick(after(1_000), (due) => (due.jobName === 'b' ? null : everySecond()(due)));
    expect(summary).toMatchObject({ schedules: 2, inserted: 2, failures: [], nextAt: T0 });
    expect(await cursors()).toMatchObject([
      { cursor_at: after(1_000) },
      { cursor_at: T0, next_at: T0, last_error: null, failures: 0, retry_at: null },
      { cursor_at: after(1_000) },
    ]);
    expect(await tick(after(1_000))).toMatchObject({ schedules: 1, inserted: 1 });
  });
});

describe('a schedule that has another name now', () => {
  it('is not ticked, and is not what the next tick waits for', async () => {
    await register('a', 'b');
    await ledgerOf().sql(`update schedules set renamed_to = 'b' where job_name = 'a'`);
    expect(await tick(after(1_000))).toMatchObject({ schedules: 1, inserted: 1, nextAt: after(2_000) });
    expect(await cursors()).toMatchObject([{ cursor_at: T0 }, { cursor_at: after(1_000) }]);
  });
});

describe('tick with a failing schedule', () => {
  const failingPlan = (due: DueSchedule): SchedulePlan => {
    if (due.jobName === 'b') throw new RangeError('bad period function');
    return everySecond()(due);
  };
  const failingInsert = (due: DueSchedule): SchedulePlan => ({
    ...everySecond()(due),
    ...(due.jobName === 'b' ? { executions: [newExecution({ jobName: 'b', key: 'b:1', payload: '{not json' })] } : {}),
  });

  it.each([
    ['its plan throws', failingPlan, 'RangeError: bad period function'],
    ['its rows are refused', failingInsert, 'error: invalid input syntax for type json'],
  ])('moves the others on, keeps its cursor and notes why: %s', async (_name, plan, text) => {
    await register('a', 'b', 'c');
    const summary = await tick(after(1_000), plan);
    expect(summary).toMatchObject({
      schedules: 2,
      inserted: 2,
      failures: [{ jobName: 'b', error: expect.any(Error) }],
    });
    expect(await cursors()).toMatchObject([
      { job_name: 'a', cursor_at: after(1_000), last_error: null },
      { job_name: 'b', cursor_at: T0, last_error: text, failures: 1, retry_at: after(2_000) },
      { job_name: 'c', cursor_at: after(1_000), last_error: null },
    ]);
  });

  it('moves the others on, also among many', async () => {
    const many = Array.from({ length: 70 }, (_, index) => `job-${index}`);
    await register(...many);
    const failing = ['job-3', 'job-50', 'job-51'];
    const summary = await ledgerOf().stores.schedules.tick(
      { jobNames: many, limit: 100, now: after(1_000) },
      (due) => ({
        ...everySecond()(due),
        ...(failing.includes(due.jobName)
          ? { executions: [newExecution({ jobName: due.jobName, key: due.jobName, payload: '{not json' })] }
          : {}),
      }),
    );
    expect(summary).toMatchObject({ schedules: 67, inserted: 67 });
    expect(summary.failures.map(({ jobName }) => jobName).toSorted()).toEqual(failing);
  });

  it('tries again with growing pauses of at most a minute, and forgets the failure when it works', async () => {
    await register('b');
    let now = T0;
    const pauses: number[] = [];
    for (let i = 0; i < 8; i++) {
      const { nextAt } = await tick(now, failingPlan);
      pauses.push((nextAt!.getTime() - now.getTime()) / 1_000);
      expect(await tick(after(-1, nextAt!), everySecond())).toMatchObject({ schedules: 0 });
      now = nextAt!;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(await tick(now)).toMatchObject({ schedules: 1, failures: [] });
    expect(await cursors()).toMatchObject([{ last_error: null, failures: 0, retry_at: null }]);
  });

  it('keeps the text of an error without secrets, cut', async () => {
    await register('b');
    await tick(T0, () => {
      throw new Error(`\u0000 postgresql://app:hunter2@db/app ${'x'.repeat(5_000)}`);
    });
    const { last_error: text } = await ledgerOf().row<{ last_error: string }>('select last_error from schedules');
    expect(text).toMatch(/^Error: \uFFFD postgresql:\/\/app:\[redacted\]@db\/app x+ … \[truncated\]$/);
    expect(Buffer.byteLength(text)).toBe(2_000);
  });

  it("is not stopped by somebody's open transaction that holds one of the keys", async () => {
    await register('a', 'b');
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query(
      `insert into keys (key_hash, execution_id) values (substr(sha256(convert_to($1, 'UTF8')), 1, 16), 1)`,
      [`b:${after(1_000).toISOString()}`],
    );
    const summary = await tick(after(1_000));
    await client.query('rollback');
    expect(summary).toMatchObject({
      schedules: 1,
      inserted: 1,
      failures: [{ jobName: 'b', error: { code: '55P03' } }],
    });
    expect(await tick(after(2_000))).toMatchObject({ failures: [] });
    expect(await ledgerOf().row(`select count(*)::int as n from executions where job_name = 'b'`)).toEqual({ n: 2 });
  });

  it('leaves a schedule that another process is ticking to it', async () => {
    await register('a', 'b');
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query(`select 1 from schedules where job_name = 'a' for update`);
    expect(await tick(after(1_000))).toMatchObject({ schedules: 1, failures: [] });
    await client.query('rollback');
  });
});
