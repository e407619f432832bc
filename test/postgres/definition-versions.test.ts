import { describe, expect, it } from 'vitest';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();
const OLD = [scheduledJob({ expression: '0 * * * * *' })];
const NEW = [scheduledJob({ expression: '30 * * * * *' })];
const seconds = (n: number) => after(n * 1_000);
const register = (definitions: typeof OLD, atSecond: number, release?: number) =>
  ledgerOf().stores.schedules.register(definitions, seconds(atSecond), release);
const carry = (definitions: typeof OLD, atSecond: number, release?: number) =>
  ledgerOf().stores.schedules.carry(definitions, seconds(atSecond), release);
const versions = async () =>
  (
    await ledgerOf().sql<{ version: number; expression: string; valid_from: Date }>(
      'select version, expression, valid_from from schedule_versions order by version',
    )
  ).map(({ version, expression, valid_from }) => [version, expression.slice(0, 2).trim(), valid_from]);
const isWaiting = async () => (await ledgerOf().lockWaits()) > 0;
const release = async () => (await ledgerOf().row<{ release: string | null }>('select release from schedules')).release;

describe('A definition that was replaced', () => {
  it('stays so while somebody carries the newest, although its process starts anew and goes on', async () => {
    await register(OLD, 0);
    expect(await register(NEW, 10)).toEqual([{ jobName: 'job', change: 'changed', version: 2 }]);
    expect(await register(OLD, 20)).toEqual([{ jobName: 'job', change: 'left', version: 2 }]);
    for (let second = 30; second <= 600; second += 30) {
      expect(await carry(NEW, second)).toEqual([]);
      expect(await carry(OLD, second)).toEqual([]);
    }
    expect(await versions()).toEqual([
      [1, '0', T0],
      [2, '30', seconds(10)],
    ]);
  });

  it('comes back as a new version when nobody has carried the newest for two minutes', async () => {
    await register(OLD, 0);
    await register(NEW, 10);
    expect(await carry(OLD, 130)).toEqual([]);
    expect(await carry(OLD, 131)).toEqual([{ jobName: 'job', change: 'changed', version: 3 }]);
    expect(await carry(NEW, 140)).toEqual([]);
    expect(await versions()).toEqual([
      [1, '0', T0],
      [2, '30', seconds(10)],
      [3, '0', seconds(131)],
    ]);
  });

  it('comes back at a start, too', async () => {
    await register(OLD, 0);
    await register(NEW, 10);
    expect(await register(OLD, 131)).toEqual([{ jobName: 'job', change: 'changed', version: 3 }]);
  });

  it('comes back once, whoever of many brings it back first', async () => {
    await register(OLD, 0);
    await register(NEW, 10);
    const changes = await Promise.all(Array.from({ length: 8 }, () => carry(OLD, 200)));
    expect(changes.flat()).toEqual([{ jobName: 'job', change: 'changed', version: 3 }]);
    expect(await versions()).toHaveLength(3);
  });
});

describe('A release', () => {
  it('that is greater puts its definitions in force at once, also those that were replaced', async () => {
    await register(OLD, 0, 7);
    await register(NEW, 10, 8);
    expect(await register(OLD, 20, 9)).toEqual([{ jobName: 'job', change: 'changed', version: 3 }]);
    expect(await register(NEW, 30, 8)).toEqual([{ jobName: 'job', change: 'left', version: 3 }]);
    expect([await release(), (await versions()).length]).toEqual(['9', 3]);
  });

  it('that is the first one stated counts as greater', async () => {
    await register(OLD, 0);
    await register(NEW, 10);
    expect(await register(OLD, 20, 1)).toEqual([{ jobName: 'job', change: 'changed', version: 3 }]);
  });

  it('that is greater with the definition in force changes nothing else', async () => {
    await register(OLD, 0, 7);
    await ledgerOf().sql('update schedules set next_at = $1', [seconds(60)]);
    expect(await register(OLD, 10, 8)).toEqual([]);
    expect(await ledgerOf().row('select version, release, next_at from schedules')).toEqual({
      version: 1,
      release: '8',
      next_at: seconds(60),
    });
    expect(await register(OLD, 10, 6)).toEqual([]);
    expect(await release()).toBe('8');
  });

  it('that is smaller waits with a definition never seen, and is left alone while the greater one is carried', async () => {
    await register(OLD, 0, 7);
    expect(await register(NEW, 10, 6)).toEqual([{ jobName: 'job', change: 'left', version: 1 }]);
    await carry(OLD, 60, 7);
    expect(await carry(NEW, 180, 6)).toEqual([]);
    expect(await carry(NEW, 181, 6)).toEqual([{ jobName: 'job', change: 'changed', version: 2 }]);
  });

  it('that somebody rolled back to stays in force while instances of the greater one start and crash', async () => {
    await register(OLD, 0, 7);
    await register(NEW, 10, 8);
    await carry(OLD, 131, 7);
    for (let second = 140; second < 1_000; second += 60) {
      expect(await register(NEW, second, 8)).toEqual([{ jobName: 'job', change: 'left', version: 3 }]);
      await carry(OLD, second, 7);
    }
    expect(await versions()).toHaveLength(3);
  });
});

describe('A new version', () => {
  it('is not valid before the cursor of a tick that was going on, and waits for it', async () => {
    await register(OLD, 0);
    const ticking = await ledgerOf().client();
    await ticking.query('begin');
    await ticking.query('update schedules set cursor_at = $1', [seconds(60)]);
    const registering = register(NEW, 30);
    await eventually(isWaiting, { what: 'the registration to wait for the tick' });
    await ticking.query('commit');
    await registering;
    expect(await versions()).toEqual([
      [1, '0', T0],
      [2, '30', seconds(60)],
    ]);
    expect(await ledgerOf().row('select cursor_at, next_at from schedules')).toEqual({
      cursor_at: seconds(60),
      next_at: seconds(60),
    });
  });
});

describe('An orphaned schedule', () => {
  const orphan = async () => {
    await register(OLD, 0);
    await ledgerOf().sql(`insert into suspensions (job_name, kind, from_at) values ('job', 'orphaned', $1)`, [T0]);
    await ledgerOf().sql('update schedules set next_at = $1', [seconds(60)]);
  };
  const state = () =>
    ledgerOf().row(`select x.kind, x.to_at, s.next_at from suspensions x join schedules s using (job_name)`);

  it.each([
    ['starts', register],
    ['goes on', carry],
  ])('stands still until a process with its definition %s, and is due then', async (_name, bring) => {
    await orphan();
    expect(await bring(OLD, 900)).toEqual([]);
    expect(await state()).toEqual({ kind: 'orphaned', to_at: seconds(900), next_at: T0 });
  });

  it('goes on with a definition never seen as well', async () => {
    await orphan();
    await register(NEW, 900);
    expect(await state()).toMatchObject({ to_at: seconds(900) });
    expect((await versions()).at(-1)).toEqual([2, '30', seconds(900)]);
  });

  it('that is paused, too, stays paused', async () => {
    await orphan();
    await ledgerOf().sql(`update suspensions set kind = 'paused'`);
    await carry(OLD, 900);
    expect(await state()).toMatchObject({ kind: 'paused', to_at: null });
  });
});
