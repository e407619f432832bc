import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { everySecond, scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();

describe('schedules', () => {
  it('lists schedules by name with cursor, version, last period and last error', async () => {
    const { schedules, ledger } = ledgerOf().stores;
    await schedules.register([scheduledJob({ name: 'b' }), scheduledJob({ name: 'a', disabled: true })], T0);
    await schedules.tick({ jobNames: ['b'], limit: 10, now: after(2_000) }, everySecond());
    await schedules.tick({ jobNames: ['a'], limit: 10, now: after(2_000) }, () => {
      throw new Error('no');
    });
    expect(await ledger.schedules(after(2_500))).toEqual([
      {
        scheduleName: 'a',
        jobName: 'a',
        version: 1,
        expression: '* * * * * *',
        timeZone: 'UTC',
        shape: expect.objectContaining({ disabled: true }),
        disabled: true,
        suspension: null,
        renamedTo: null,
        cursorAt: T0,
        nextAt: T0,
        behindMs: 2_500,
        lastError: 'Error: no',
        retryAt: after(3_000),
        last: null,
      },
      {
        scheduleName: 'b',
        jobName: 'b',
        version: 1,
        expression: '* * * * * *',
        timeZone: 'UTC',
        shape: expect.not.objectContaining({ disabled: true }),
        disabled: false,
        suspension: null,
        renamedTo: null,
        cursorAt: after(2_000),
        nextAt: after(3_000),
        behindMs: null,
        lastError: null,
        retryAt: null,
        last: { executionId: expect.any(String), period: after(2_000).toISOString(), scheduledFor: after(2_000) },
      },
    ]);
  });

  it('gives one schedule with its versions and skipped ranges, newest first', async () => {
    const { schedules, ledger } = ledgerOf().stores;
    await schedules.register([scheduledJob({ name: 'a' })], T0);
    await schedules.register([scheduledJob({ name: 'a', expression: '0 * * * * *' })], after(1_000));
    for (const now of [after(10_000), after(20_000)]) {
      await schedules.tick({ jobNames: ['a'], limit: 1, now }, (due) => ({
        executions: [],
        skippedRange: { from: after(-9_000, now), to: after(-1_000, now), count: 9, reason: 'catch-up', actor: null },
        cursorAt: due.now,
        nextAt: due.now,
      }));
    }
    expect(await ledger.schedule('a')).toMatchObject({
      version: 2,
      versions: [
        { version: 2, validFrom: after(1_000), expression: '0 * * * * *' },
        { version: 1, validFrom: T0, expression: '* * * * * *' },
      ],
      skippedRanges: [
        { from: after(11_000), to: after(19_000), count: 9, reason: 'catch-up', createdAt: after(20_000) },
        { from: after(1_000), to: after(9_000), count: 9, reason: 'catch-up', createdAt: after(10_000) },
      ],
    });
  });

  it('gives the suspension that a schedule is in, a pause first, and the past ones with who ended them', async () => {
    const { schedules, suspensions, ledger } = ledgerOf().stores;
    await schedules.register([scheduledJob({ name: 'a' }), scheduledJob({ name: 'b' })], T0);
    const by = (actor: string, now: Date) => ({ actor, reason: `by ${actor}`, now });
    await suspensions.pause('a', by('anna', after(1_000)));
    await suspensions.resume('a', { ...by('bert', after(2_000)), catchUp: true });
    await ledgerOf().sql(`insert into suspensions (job_name, kind, from_at) values ('a', 'orphaned', $1)`, [
      after(3_000),
    ]);
    const orphaned = { kind: 'orphaned', from: after(3_000), to: null, catchUp: false, actor: null, reason: null };
    expect((await ledger.schedules()).map(({ suspension }) => suspension)).toEqual([orphaned, null]);
    await suspensions.pause('a', by('carl', after(4_000)));
    const paused = { kind: 'paused', from: after(4_000), to: null, catchUp: false, actor: 'carl', reason: 'by carl' };
    const open = { endedBy: null, endReason: null };
    expect(await ledger.schedule('a')).toMatchObject({
      suspension: paused,
      suspensions: [
        { ...paused, ...open },
        { ...orphaned, ...open },
        {
          kind: 'paused',
          from: after(1_000),
          to: after(2_000),
          catchUp: true,
          actor: 'anna',
          endedBy: 'bert',
          endReason: 'by bert',
        },
      ],
    });
  });

  it('is not behind while it stands still, but is with what was due before', async () => {
    const { schedules, suspensions, ledger } = ledgerOf().stores;
    await schedules.register([scheduledJob({ name: 'a' })], T0);
    await schedules.tick({ jobNames: ['a'], limit: 1, now: after(1_000) }, everySecond());
    const behindMs = async () => (await ledger.schedule('a', after(9_000)))?.behindMs;
    expect(await behindMs()).toBe(7_000);
    await suspensions.pause('a', { actor: null, reason: null, now: after(2_000) });
    expect(await behindMs()).toBe(7_000);
    await schedules.tick({ jobNames: ['a'], limit: 1, now: after(2_000) }, everySecond());
    expect(await behindMs()).toBeNull();
  });

  it('gives at most 1,000 of a list at a time, each once, and refuses a cursor of something else', async () => {
    const { schedules, ledger } = ledgerOf().stores;
    await schedules.register([scheduledJob({ name: 'a' })], T0);
    await ledgerOf().sql(`
      with made as (
        insert into schedules (schedule_name, job_name, version, cursor_at, next_at)
        select 'n' || n, 'n' || n, 1, s.cursor_at, s.next_at from schedules s, generate_series(1, 1002) n
        returning schedule_name
      )
      insert into schedule_versions (schedule_name, version, valid_from, expression, time_zone, shape, zone_data)
      select m.schedule_name, 1, v.valid_from, v.expression, v.time_zone, v.shape, v.zone_data
      from made m, schedule_versions v`);
    const first = await ledger.schedulePage(null);
    expect(first.items).toHaveLength(1_000);
    const second = await ledger.schedulePage(first.nextCursor);
    expect(second.nextCursor).toBeNull();
    const names = [...first.items, ...second.items].map(({ scheduleName }) => scheduleName);
    expect(names).toHaveLength(1_003);
    expect(new Set(names).size).toBe(1_003);
    expect((await ledger.schedules()).map(({ scheduleName }) => scheduleName)).toEqual(names);
    for (const cursor of ['', 'x', Buffer.from('["x","a\u0000"]').toString('base64url')]) {
      await expect(ledger.schedulePage(cursor)).rejects.toThrow('cursor is not one of this list');
    }
  });

  it('gives nothing for an unknown name', async () => {
    expect(await ledgerOf().stores.ledger.schedule('unknown')).toBeNull();
    expect(await ledgerOf().stores.ledger.schedule('a\u0000')).toBeNull();
    expect(await ledgerOf().stores.ledger.schedules()).toEqual([]);
  });
});
