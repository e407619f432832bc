import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { ClientSession } from '../../libs/scheduled-jobs/src/postgres/database/session.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { StoredSchedules } from '../../libs/scheduled-jobs/src/postgres/schedule/stored-schedules.js';
import { tickAll } from '../support/backfills.js';
import { expectComplete } from '../support/completeness.js';
import { eventually } from '../support/engine.js';
import { after, T0 } from '../support/ledger.js';
import { useLedger } from '../support/ledger-tests.js';
import { backgroundJob, everySecond, scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();
const seconds = (n: number) => after(n * 1_000);
const named = (name: string, ...aliases: string[]): JobDefinition => ({ ...scheduledJob({ name }), aliases });
const isWaiting = async () => (await ledgerOf().lockWaits()) > 0;
const OLD = [named('old')];
const NEW = [named('new', 'old')];
const register = (definitions: readonly JobDefinition[], atSecond: number, release?: number) =>
  ledgerOf().stores.schedules.register(definitions, seconds(atSecond), release);
const carry = (definitions: readonly JobDefinition[], atSecond: number) =>
  ledgerOf().stores.schedules.carry(definitions, seconds(atSecond));
const tick = (atSecond: number, ...jobNames: string[]) =>
  ledgerOf().stores.schedules.tick({ jobNames, limit: 10, now: seconds(atSecond) }, everySecond());
/** Name, version, second of the cursor, successor. */
const schedules = async () =>
  (
    await ledgerOf().sql<{ name: string; version: number; cursor_at: Date; renamed_to: string | null }>(
      'select schedule_name as name, version, cursor_at, renamed_to from schedules order by schedule_name',
    )
  ).map(({ name, version, cursor_at, renamed_to }) => [
    name,
    version,
    (cursor_at.getTime() - T0.getTime()) / 1_000,
    renamed_to,
  ]);
const periods = async () =>
  (
    await ledgerOf().sql<{ job_name: string; first: number; last: number; n: number }>(
      `select job_name, min(extract(epoch from scheduled_for - $1))::int as first,
         max(extract(epoch from scheduled_for - $1))::int as last, count(*)::int as n
       from executions group by job_name order by 2`,
      [T0],
    )
  ).map(({ job_name, first, last, n }) => [job_name, first, last, n]);

describe('A renamed schedule', () => {
  it('goes on where the old name stopped, and the old name stands still', async () => {
    await register(OLD, 0);
    await tick(5, 'old');
    expect(await register(NEW, 8)).toEqual([{ jobName: 'new', change: 'renamed', version: 1, takenOver: ['old'] }]);
    expect(await schedules()).toEqual([
      ['new', 1, 5, null],
      ['old', 1, 5, 'new'],
    ]);
    await Promise.all([tick(9, 'old'), tick(9, 'new')]);
    await tick(9, 'old', 'new');
    expect(await periods()).toEqual([
      ['old', 1, 5, 5],
      ['new', 6, 9, 4],
    ]);
    expect(await register(NEW, 10)).toEqual([]);
    expect(await carry(NEW, 40)).toEqual([]);
  });

  it('takes its history along, whatever startAt says, and adds its own definition behind it', async () => {
    const definition = { ...scheduledJob({ name: 'new', expression: '0 * * * * *', startAt: after(-9_000) }) };
    await register(OLD, 0, 3);
    await tick(5, 'old');
    await register([{ ...definition, aliases: ['old'] }], 8);
    expect(
      await ledgerOf().sql(
        `select version, valid_from, expression, zone_data is not null as zoned, carried_at
         from schedule_versions where schedule_name = 'new' order by version`,
      ),
    ).toEqual([
      { version: 1, valid_from: T0, expression: '* * * * * *', zoned: true, carried_at: null },
      { version: 2, valid_from: seconds(8), expression: '0 * * * * *', zoned: true, carried_at: seconds(8) },
    ]);
    expect(await ledgerOf().row(`select version, next_at, release from schedules where schedule_name = 'new'`)).toEqual(
      { version: 2, next_at: seconds(5), release: '3' },
    );
  });

  it('waits for a tick of the old name that is going on', async () => {
    await register(OLD, 0);
    const renamed: Promise<unknown>[] = [];
    await ledgerOf().stores.schedules.tick({ jobNames: ['old'], limit: 1, now: seconds(5) }, (due) => {
      renamed.push(register(NEW, 5));
      return everySecond()(due);
    });
    await Promise.all(renamed);
    expect(await schedules()).toEqual([
      ['new', 1, 5, null],
      ['old', 1, 5, 'new'],
    ]);
  });

  it('is locked also where another process has added it while this one waited for the old name', async () => {
    const { dataSource, schema } = ledgerOf();
    await register(OLD, 0);
    const other = await ledgerOf().client();
    await other.query('begin');
    await other.query(`
      insert into schedules (schedule_name, job_name, version, cursor_at)
        select 'new', 'new', version, cursor_at from schedules where schedule_name = 'old' for update;
      insert into schedule_versions (schedule_name, version, valid_from, expression, time_zone, shape)
        select 'new', version, valid_from, expression, time_zone, shape from schedule_versions`);
    await dataSource.transaction(async ({ queryRunner }) => {
      const session = await ClientSession.of(queryRunner!, 0);
      const locking = new StoredSchedules(ledgerNames(schema)).locked(session, ['new', 'old'], T0);
      await eventually(isWaiting);
      await other.query('commit');
      expect([...(await locking).keys()].toSorted()).toEqual(['new', 'old']);
      const free = await other.query('select schedule_name from schedules for update skip locked');
      expect(free.rows).toEqual([]);
    });
  });

  it('is taken over once by many processes at once, also from a chain of names', async () => {
    await register([named('a')], 0);
    await register([named('b', 'a')], 1);
    await tick(3, 'b');
    const changes = await Promise.all(Array.from({ length: 8 }, () => register([named('c', 'a', 'b')], 4)));
    expect(changes.flat()).toEqual([{ jobName: 'c', change: 'renamed', version: 1, takenOver: ['b'] }]);
    expect(await schedules()).toEqual([
      ['a', 1, 0, 'b'],
      ['b', 1, 3, 'c'],
      ['c', 1, 3, null],
    ]);
    expect(await carry([named('c', 'a', 'b')], 60)).toEqual([]);
  });

  it('is not taken over by another application that claims the same old name, as long as somebody carries it', async () => {
    const other = [named('other', 'old')];
    await register(OLD, 0);
    await register(NEW, 8);
    expect(await register(other, 9)).toEqual([{ jobName: 'other', change: 'left', version: 1 }]);
    await carry(NEW, 100);
    expect(await carry(other, 220)).toEqual([]);
    expect(await schedules()).toEqual([
      ['new', 1, 0, null],
      ['old', 1, 0, 'new'],
    ]);
    expect(await carry(other, 221)).toEqual([{ jobName: 'other', change: 'renamed', version: 1, takenOver: ['new'] }]);
  });

  it('starts anew like any other where the old name never ran', async () => {
    expect(await register([{ ...scheduledJob({ name: 'new', startAt: null }), aliases: ['old'] }], 7)).toEqual([
      { jobName: 'new', change: 'added', version: 1 },
    ]);
    expect(await schedules()).toEqual([['new', 1, 7, null]]);
  });
});

describe('A rename that is rolled back', () => {
  const renamed = async () => {
    await register(OLD, 0);
    await tick(5, 'old');
    await register(NEW, 8);
    await tick(10, 'new');
  };

  it('leaves the new name in force while somebody carries it', async () => {
    await renamed();
    expect(await register(OLD, 20)).toEqual([{ jobName: 'old', change: 'left', version: 1 }]);
    await carry(NEW, 100);
    expect(await carry(OLD, 220)).toEqual([]);
    expect(await schedules()).toEqual([
      ['new', 1, 10, null],
      ['old', 1, 5, 'new'],
    ]);
  });

  it('goes on under the old name where the new one stopped once nobody carries that', async () => {
    await renamed();
    expect(await carry(OLD, 129)).toEqual([{ jobName: 'old', change: 'renamed', version: 1, takenOver: ['new'] }]);
    await tick(130, 'new', 'old');
    expect(await schedules()).toEqual([
      ['new', 1, 10, 'old'],
      ['old', 1, 130, null],
    ]);
    expect(await periods()).toEqual([
      ['old', 1, 130, 125],
      ['new', 6, 10, 5],
    ]);
  });

  it('is done at once by a greater release', async () => {
    await renamed();
    expect(await register(OLD, 12, 2)).toEqual([{ jobName: 'old', change: 'renamed', version: 1, takenOver: ['new'] }]);
    expect(await register(NEW, 13, 1)).toEqual([{ jobName: 'new', change: 'left', version: 1 }]);
    expect(await register(NEW, 14, 3)).toEqual([{ jobName: 'new', change: 'renamed', version: 1, takenOver: ['old'] }]);
  });

  it('can be renamed again, by what was in force meanwhile', async () => {
    await renamed();
    const changed = [{ ...named('old'), ...scheduledJob({ name: 'old', expression: '0 * * * * *' }) }];
    await register(changed, 129);
    const minute = { executions: [], skippedRange: null, cursorAt: seconds(60), nextAt: seconds(120) };
    await ledgerOf().stores.schedules.tick({ jobNames: ['old'], limit: 1, now: seconds(130) }, () => minute);
    expect(await carry(NEW, 249)).toEqual([]);
    expect(await carry(NEW, 250)).toEqual([{ jobName: 'new', change: 'renamed', version: 4, takenOver: ['old'] }]);
    expect(
      await ledgerOf().sql(
        `select version, left(expression, 3) as expression, valid_from from schedule_versions where schedule_name = 'new' order by 1`,
      ),
    ).toEqual([
      { version: 1, expression: '* *', valid_from: T0 },
      { version: 2, expression: '* *', valid_from: T0 },
      { version: 3, expression: '0 *', valid_from: seconds(129) },
      { version: 4, expression: '* *', valid_from: seconds(250) },
    ]);
    expect(await schedules()).toEqual([
      ['new', 4, 60, null],
      ['old', 2, 60, 'new'],
    ]);
  });
});

describe('The suspensions of a renamed job', () => {
  const suspensions = () =>
    ledgerOf().sql('select job_name, kind, from_at, to_at, actor from suspensions order by job_name, from_at');
  const suspend = (kind: string, from: number, to: number | null) =>
    ledgerOf().sql(
      `insert into suspensions (job_name, kind, from_at, to_at, actor) values ('old', $1, $2, $3, 'ops')`,
      [kind, seconds(from), to === null ? null : seconds(to)],
    );

  it('hold under the new name, those that ended behind the cursor included', async () => {
    await register(OLD, 0);
    await tick(5, 'old');
    await suspend('paused', 1, 4);
    await suspend('paused', 5, 6);
    await suspend('paused', 7, null);
    await register(NEW, 8);
    expect((await suspensions()).filter((row) => row['job_name'] === 'new')).toEqual([
      { job_name: 'new', kind: 'paused', from_at: seconds(5), to_at: seconds(6), actor: 'ops' },
      { job_name: 'new', kind: 'paused', from_at: seconds(7), to_at: null, actor: 'ops' },
    ]);
    await register(NEW, 9);
    expect(await suspensions()).toHaveLength(5);
  });

  it('end where the schedule was orphaned', async () => {
    await register(OLD, 0);
    await suspend('orphaned', 1, null);
    await register(NEW, 900);
    expect(await suspensions()).toMatchObject([
      { job_name: 'new', kind: 'orphaned', to_at: seconds(900) },
      { job_name: 'old', kind: 'orphaned', to_at: seconds(900) },
    ]);
  });

  it('hold for a job without a schedule, too, from its first start on', async () => {
    await register([backgroundJob('old')], 0);
    await suspend('paused', 1, null);
    const job = { ...backgroundJob('new'), aliases: ['older', 'old'] };
    await register([job], 2);
    expect((await suspensions()).map((row) => row['job_name'])).toEqual(['new', 'old']);
    await ledgerOf().sql(`update suspensions set to_at = $1 where job_name = 'new'`, [seconds(3)]);
    await register([{ ...job, concurrency: 9 }], 4);
    expect(await suspensions()).toHaveLength(2);
  });
});

describe('A name that is given to another job later', () => {
  it('begins anew, and what ran under it before is accounted for under the new name', async () => {
    const other = named('old');
    const renamed = [named('new'), other];
    await register(OLD, 0);
    await tickAll(ledgerOf(), OLD, seconds(5));
    await register(NEW, 8);
    await tickAll(ledgerOf(), NEW, seconds(10));
    expect(await register(renamed, 20)).toEqual([{ jobName: 'old', change: 'changed', version: 2 }]);
    await tickAll(ledgerOf(), renamed, seconds(25));
    await tickAll(ledgerOf(), renamed, seconds(30));
    expect(await periods()).toEqual([
      ['old', 1, 30, 15],
      ['new', 6, 30, 25],
    ]);
    const { schedules: found } = await expectComplete(ledgerOf(), renamed);
    expect(found.map(({ jobName, expected, recorded }) => [jobName, expected, recorded])).toEqual([
      ['new', 30, 30],
      ['old', 10, 10],
    ]);
  });
});
