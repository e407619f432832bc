import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const heartbeat = (...leases: { executionId: string; leaseToken: string; startedAt?: Date | null }[]) =>
  ledgerOf().stores.work.heartbeat(
    leases.map(({ executionId, leaseToken, startedAt = null }) => ({ executionId, leaseToken, startedAt })),
    after(10_000),
  );

describe('heartbeat', () => {
  it('renews each lease by its own length and marks late starts, once', async () => {
    await ledgerOf().insert({ leaseMs: 5_000 }, { leaseMs: 60_000 });
    const [short, long] = await ledgerOf().claim({ start: 1 });
    expect(await heartbeat(short!, { ...long!, startedAt: after(3_000) })).toEqual([
      { executionId: short!.executionId, leaseToken: short!.leaseToken, cancelRequested: false },
      { executionId: long!.executionId, leaseToken: long!.leaseToken, cancelRequested: false },
    ]);
    await heartbeat({ ...long!, startedAt: after(9_000) });
    expect(await ledgerOf().sql('select lease_until, started_at from work order by execution_id')).toEqual([
      { lease_until: after(15_000), started_at: T0 },
      { lease_until: after(70_000), started_at: after(3_000) },
    ]);
  });

  it('does nothing for nothing and tells nothing of what is not leased', async () => {
    expect(await heartbeat()).toEqual([]);
    expect(await heartbeat({ executionId: '999999', leaseToken: '1' })).toEqual([]);
  });

  it('is fenced: an old token neither renews nor reads as alive', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    await ledgerOf().stores.work.rescue(10, after(31_000));
    expect(await heartbeat(claimed!)).toEqual([]);
    expect(await ledgerOf().row('select lease_until from work')).toEqual({ lease_until: null });
    await ledgerOf().claim({ now: after(31_000) });
    expect(await heartbeat(claimed!)).toEqual([]);
    expect(await ledgerOf().row('select lease_until from work')).toEqual({ lease_until: after(61_000) });
  });

  it('tells who was asked to stop', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    await ledgerOf().sql('update work set cancel_requested_at = now()');
    expect(await heartbeat(claimed!)).toMatchObject([{ cancelRequested: true }]);
  });

  it('never waits: work whose row is held reads as alive, the others are renewed', async () => {
    await ledgerOf().insert({}, {});
    const [held, free] = await ledgerOf().claim();
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from work where execution_id = $1 for update', [held!.executionId]);
    expect(await heartbeat(held!, free!)).toHaveLength(2);
    await client.query('rollback');
    expect(await ledgerOf().sql('select lease_until from work order by execution_id')).toEqual([
      { lease_until: after(30_000) },
      { lease_until: after(40_000) },
    ]);
  });
});

describe('saveProgress', () => {
  it('shows stage and percent of running work, fenced by its token', async () => {
    await ledgerOf().insert({}, {});
    const [a, b] = await ledgerOf().claim();
    await ledgerOf().stores.work.saveProgress([
      { ...a!, stage: `upload\u0000${'x'.repeat(200)}`, percent: 42.5 },
      { executionId: b!.executionId, leaseToken: a!.leaseToken, stage: 'stolen', percent: 1 },
    ]);
    expect(await ledgerOf().sql('select stage, percent from work order by execution_id')).toEqual([
      { stage: `upload\uFFFD${'x'.repeat(93)}`, percent: 42.5 },
      { stage: null, percent: null },
    ]);
    await ledgerOf().stores.work.finish([attemptRecord(a!, { disposition: 'retry', outcome: 'failed' })], {
      workerId: 'w1',
      now: T0,
    });
    expect(await ledgerOf().row('select stage, percent from work where execution_id = $1', [a!.executionId])).toEqual({
      stage: null,
      percent: null,
    });
  });

  it('does nothing for nothing and does not wait for a row that is held', async () => {
    await ledgerOf().stores.work.saveProgress([]);
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from work for update');
    await ledgerOf().stores.work.saveProgress([{ ...claimed!, stage: 'later', percent: null }]);
    await client.query('rollback');
    expect(await ledgerOf().row('select stage from work')).toEqual({ stage: null });
  });
});

describe('appendLogs', () => {
  const line = { at: T0, level: 'info', message: 'hello', fields: null } as const;

  it('keeps lines in order, each once, cut to their limits', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    const lines = [
      { ...line, ...claimed!, lineNo: 1, fields: '{"a":"\\u0000"}' },
      {
        ...line,
        ...claimed!,
        lineNo: 2,
        message: `nul \u0000 ${'y'.repeat(9_000)}`,
        fields: JSON.stringify('z'.repeat(9_000)),
      },
      { ...line, ...claimed!, lineNo: 1_001 },
    ];
    await ledgerOf().stores.work.appendLogs(lines);
    await ledgerOf().stores.work.appendLogs(lines);
    expect(
      await ledgerOf().sql(
        'select line_no, level, length(message) as length, fields, logged_at from logs order by line_no',
      ),
    ).toEqual([
      { line_no: 1, level: 'info', length: 5, fields: { a: '\u0000' }, logged_at: T0 },
      { line_no: 2, level: 'info', length: 8_192, fields: null, logged_at: T0 },
    ]);
  });

  it('is fenced: a worker that lost its lease adds nothing', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    await ledgerOf().stores.work.rescue(10, after(31_000));
    await ledgerOf().stores.work.appendLogs([{ ...line, ...claimed!, lineNo: 1 }]);
    await ledgerOf().claim({ worker: 'w2', now: after(31_000) });
    await ledgerOf().stores.work.appendLogs([{ ...line, ...claimed!, lineNo: 1 }]);
    await ledgerOf().stores.work.appendLogs([]);
    expect(await ledgerOf().sql('select 1 from logs')).toEqual([]);
  });
});

describe('look', () => {
  const look = (now = T0, queues = ['default']) => ledgerOf().stores.work.look(queues, now);

  it('finds nothing in an empty ledger', async () => {
    expect(await look()).toEqual({
      ready: false,
      due: false,
      waiting: false,
      held: false,
      nextRunInMs: null,
      gates: [],
    });
  });

  it('tells what can be claimed in these queues, what is due, what waits, and when the next is due', async () => {
    await ledgerOf().insert(
      { queue: 'other' },
      { runAt: after(1_000) },
      { runAt: after(2_500) },
      { concurrencyKey: 'k' },
    );
    expect(await look()).toEqual({
      ready: false,
      due: false,
      waiting: true,
      held: false,
      nextRunInMs: 1_000,
      gates: [],
    });
    expect(await look(after(1_000), ['other', 'default'])).toEqual({
      ready: true,
      due: true,
      waiting: true,
      held: false,
      nextRunInMs: 1_500,
      gates: [],
    });
  });

  it('tells of leases that ran out, when it is asked', async () => {
    const { work } = ledgerOf().stores;
    await ledgerOf().insert({ leaseMs: 5_000 });
    await ledgerOf().claim();
    expect(await work.look(['default'], after(5_001))).not.toHaveProperty('expired');
    expect(await work.look(['default'], after(5_000), { leases: true })).toMatchObject({ expired: false });
    expect(await work.look(['default'], after(5_001), { leases: true })).toMatchObject({ expired: true });
  });
});

describe('promote', () => {
  it('makes due work claimable up to the limit, the longest due first, and leaves the rest', async () => {
    await ledgerOf().insert(
      { key: 'job:2', runAt: after(20) },
      { key: 'job:1', runAt: after(10) },
      { key: 'job:3', runAt: after(30) },
    );
    expect(await ledgerOf().stores.work.promote(1, after(25))).toBe(1);
    expect((await ledgerOf().claim({ now: after(25) })).map(({ key }) => key)).toEqual(['job:1']);
    expect(await ledgerOf().stores.work.promote(10, after(25))).toBe(1);
    expect(await ledgerOf().stores.work.promote(10, after(25))).toBe(0);
  });

  it('lets work with a concurrency key wait for a slot, unless it has one', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({ runAt: after(10), concurrencyKey: 'k' });
    await ledgerOf().stores.work.promote(10, after(10));
    expect(await ledgerOf().row('select phase from work')).toEqual({ phase: 'waiting' });
  });

  it('does not wait for rows that another process promotes', async () => {
    await ledgerOf().insert({ runAt: after(10) });
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from work for update');
    expect(await ledgerOf().stores.work.promote(10, after(10))).toBe(0);
    await client.query('rollback');
  });
});
