import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();

const claimQueues = (quotas: { queue: string; take: number; start: number }[], jobNames: string[], now = T0) =>
  ledgerOf().stores.work.claim({ workerId: 'w1', quotas, jobNames, now });

const TRACE_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('claim', () => {
  it('hands out everything a run needs and leases it for its own time', async () => {
    const ledger = ledgerOf();
    await ledger.insert({
      key: 'job:2026-03-01',
      period: '2026-03-01',
      interval: { start: after(-1_000), end: T0 },
      scheduledFor: after(-500),
      payload: '{"a":1}',
      leaseMs: 7_000,
      deadlineMs: 60_000,
      trigger: 'schedule',
      traceParent: TRACE_PARENT,
    });
    const [claimed] = await ledger.claim({ now: after(1_000) });
    expect(claimed).toEqual({
      executionId: expect.stringMatching(/^\d+$/),
      leaseToken: expect.stringMatching(/^\d+$/),
      key: 'job:2026-03-01',
      jobName: 'job',
      period: '2026-03-01',
      interval: { start: after(-1_000), end: T0 },
      scheduledFor: after(-500),
      payload: { a: 1 },
      trigger: 'schedule',
      traceParent: TRACE_PARENT,
      queue: 'default',
      concurrencyKey: null,
      attempt: 1,
      maxAttempts: 4,
      leaseMs: 7_000,
      deadlineAt: after(60_000),
      claimedAt: after(1_000),
      isLastChance: false,
    });
    expect(await ledger.row('select phase, worker_id, lease_until, started_at from work')).toEqual({
      phase: 'leased',
      worker_id: 'w1',
      lease_until: after(8_000),
      started_at: after(1_000),
    });
  });

  it('finds nothing where nothing is ready', async () => {
    const ledger = ledgerOf();
    await ledger.insert({ runAt: after(1) }, { queue: 'other' }, { concurrencyKey: 'k' });
    expect(await ledger.claim()).toEqual([]);
    expect(await claimQueues([{ queue: 'other', take: 0, start: 0 }], ['job'])).toEqual([]);
  });

  it('takes smaller priorities first, then the earlier run time, then the smaller id', async () => {
    const ledger = ledgerOf();
    await ledger.insert(
      { key: 'job:late', scheduledFor: after(-10) },
      { key: 'job:early', scheduledFor: after(-20) },
      { key: 'job:early-too', scheduledFor: after(-20) },
      { key: 'job:urgent', priority: -5 },
    );
    const order = [];
    for (let i = 0; i < 4; i++) order.push(...(await ledger.claim({ take: 1 })).map(({ key }) => key));
    expect(order).toEqual(['job:urgent', 'job:early', 'job:early-too', 'job:late']);
  });

  it('takes from each queue no more than asked and marks no more as started than start at once', async () => {
    const ledger = ledgerOf();
    await ledger.insert(
      ...Array.from({ length: 5 }, () => ({ queue: 'a' })),
      ...Array.from({ length: 5 }, () => ({ queue: 'b' })),
    );
    const claimed = await claimQueues(
      [
        { queue: 'a', take: 3, start: 1 },
        { queue: 'b', take: 4, start: 4 },
      ],
      ['job'],
    );
    expect(
      claimed
        .map(({ queue }) => queue)
        .toSorted()
        .join(''),
    ).toBe('aaabbbb');
    expect(
      await ledger.sql(
        'select queue, count(started_at)::int as started from work where phase = $1 group by queue order by queue',
        ['leased'],
      ),
    ).toEqual([
      { queue: 'a', started: 1 },
      { queue: 'b', started: 4 },
    ]);
  });

  it('leaves the jobs of other workers alone', async () => {
    const ledger = ledgerOf();
    await ledger.jobs({ name: 'mine' }, { name: 'theirs' });
    await ledger.insert({ jobName: 'theirs' }, { jobName: 'mine' });
    const claimed = await claimQueues([{ queue: 'default', take: 10, start: 10 }], ['mine']);
    expect(claimed.map(({ jobName }) => jobName)).toEqual(['mine']);
  });

  it('never hands out one execution twice', async () => {
    const ledger = ledgerOf();
    await ledger.insert({}, {});
    const [one, two] = await Promise.all([ledger.claim({ worker: 'w1' }), ledger.claim({ worker: 'w2' })]);
    expect(new Set([...one, ...two].map(({ executionId }) => executionId)).size).toBe(2);
    expect(one.length + two.length).toBe(2);
  });

  it('gives strictly greater tokens from claim to claim, also across executions', async () => {
    const ledger = ledgerOf();
    await ledger.insert({ key: 'job:a' });
    const [first] = await ledger.claim();
    await ledger.stores.work.finish([attemptRecord(first!, { disposition: 'retry', outcome: 'failed' })], {
      workerId: 'w1',
      now: T0,
    });
    await ledger.insert({ key: 'job:b' });
    const later = await ledger.claim();
    expect(later.every(({ leaseToken }) => BigInt(leaseToken) > BigInt(first!.leaseToken))).toBe(true);
  });

  it('ends work whose deadline has passed: skipped when it never started, else failed, without an attempt', async () => {
    const ledger = ledgerOf();
    await ledger.insert({ key: 'job:never', deadlineMs: 1_000 }, { key: 'job:once', deadlineMs: 5_000 });
    const [once] = (await ledger.claim()).filter(({ key }) => key === 'job:once');
    const never = (
      await ledger.sql<{ execution_id: string; lease_token: string }>(
        `select w.execution_id::text, w.lease_token::text from work w join executions e on e.id = w.execution_id where e.key = 'job:never'`,
      )
    )[0]!;
    await ledger.stores.work.finish(
      [
        attemptRecord(once!, { disposition: 'retry', outcome: 'failed' }),
        attemptRecord(
          { executionId: never.execution_id, leaseToken: never.lease_token },
          { disposition: 'released', outcome: null, startedAt: null },
        ),
      ],
      { workerId: 'w1', now: T0 },
    );
    expect(await ledger.claim({ now: after(5_000) })).toEqual([]);
    expect(
      await ledger.sql(
        'select e.key, o.state, o.reason, o.attempts, o.finished_at from outcomes o join executions e on e.id = o.execution_id order by e.id',
      ),
    ).toEqual([
      { key: 'job:never', state: 'skipped', reason: 'deadline', attempts: 0, finished_at: after(5_000) },
      { key: 'job:once', state: 'failed', reason: 'deadline', attempts: 1, finished_at: after(5_000) },
    ]);
    expect(await ledger.sql('select count(*)::int as n from attempts')).toEqual([{ n: 1 }]);
  });

  it('is committed when it answers: no transaction stays open beside a run', async () => {
    const ledger = ledgerOf();
    await ledger.insert({});
    await ledger.claim();
    await ledger.sql('select 1 from work for update nowait');
    expect(
      await ledger.sql(
        `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      ),
    ).toEqual([]);
  });

  it('counts the deadline from the insert when the nominal time is long past', async () => {
    const ledger = ledgerOf();
    await ledger.insert({ scheduledFor: after(-30 * 86_400_000), deadlineMs: 1_000 });
    const [claimed] = await ledger.claim();
    expect(claimed?.deadlineAt).toEqual(after(1_000));
  });

  it('finds what lies before the place at which it went on beside an old transaction', async () => {
    const ledger = ledgerOf();
    await ledger.sql(
      `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.005); return new; end'`,
    );
    await ledger.sql('create trigger slow before update on work for each row execute function slow()');
    await ledger.insert(...Array.from({ length: 8 }, () => ({})));
    for (let claims = 0; claims < 7; claims++) expect(await ledger.claim({ take: 1 })).toHaveLength(1);
    await ledger.insert({ key: 'job:urgent', priority: -5 });
    const order = [];
    for (let claims = 0; claims < 2; claims++) order.push(...(await ledger.claim({ take: 1 })).map(({ key }) => key));
    expect(order).toContain('job:urgent');
    expect(await ledger.sql(`select 1 from work where phase = 'ready'`)).toEqual([]);
  });
});
