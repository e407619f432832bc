import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { backfill } from '../support/backfills.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';
import { Overlaps } from '../support/overlaps.js';
import { everySecond, scheduledJob as everySecondJob, secondOf } from '../support/schedules.js';

const ledgerOf = useLedger();
const group = new Overlaps(ledgerOf);
const request = { actor: 'bob', reason: 'a test', now: T0 };

/** What was told, summed up, in the order of jobs and states. */
function told(): readonly { job: string; state: string; count: number }[] {
  const sums = new Map<string, { job: string; state: string; count: number }>();
  for (const event of ledgerOf().events) {
    if (event.type !== 'executions.ended') continue;
    const { job, state, count } = event;
    sums.set(`${job} ${state}`, { job, state, count: count + (sums.get(`${job} ${state}`)?.count ?? 0) });
  }
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const recorded = () =>
  ledgerOf().sql(
    `select e.job_name as job, o.state, count(*)::int as count
     from outcomes o join executions e on e.id = o.execution_id
     group by 1, 2 order by 1, 2`,
  );

/** Each end of the ledger was told, once. */
async function expectTold(ends: ReturnType<typeof told>): Promise<void> {
  expect(told()).toEqual(ends);
  expect(told()).toEqual(await recorded());
}

describe('ends that no worker records are told once each, by whom they end', () => {
  it('and no statement ends executions that is not tried here, or by a worker', () => {
    const folder = new URL('../../libs/scheduled-jobs/src/postgres/statements/', import.meta.url);
    const ending = readdirSync(folder).filter((file) =>
      /insert into \$\{(names\.)?table\.outcomes\}/.test(readFileSync(new URL(file, folder), 'utf8')),
    );
    expect(ending).toEqual([
      'cancel-work.sql.ts',
      'end-overdue.sql.ts',
      'finish-attempts.sql.ts', // execution.ended
      'finish-succeeded.sql.ts', // execution.ended
      'insert-executions.sql.ts',
      'judge-waiting.sql.ts',
      'rescue-expired.sql.ts',
    ]);
  });

  it('by a rescue, once the losses are too many, and not before', async () => {
    await ledgerOf().insert({ jobName: 'killer' }, { jobName: 'killer' }, { jobName: 'other', maxAttempts: 1 });
    for (const minute of [0, 1, 2]) {
      const claimed = [...(await claimAll(minute)), ...(await claimAll(minute))];
      const leases = claimed.map((one) => ({ ...one, startedAt: after(minute * 60_000) }));
      await ledgerOf().stores.work.heartbeat(leases, after(minute * 60_000));
      await ledgerOf().stores.work.rescue(100, after(minute * 60_000 + 31_000));
    }
    await expectTold([
      { job: 'killer', state: 'failed', count: 2 },
      { job: 'other', state: 'failed', count: 1 },
    ]);
  });

  it('by their deadline: skipped what never started, failed what did', async () => {
    await ledgerOf().insert({ deadlineMs: 1_000 }, { deadlineMs: 1_000 }, { deadlineMs: 5_000, queue: 'mail' });
    const [once] = await ledgerOf().claim({ queue: 'mail' });
    const retry = { disposition: 'retry', outcome: 'failed', runAt: T0 } as const;
    await ledgerOf().stores.work.finish([attemptRecord(once!, retry)], { workerId: 'w1', now: T0 });
    await ledgerOf().sql(`insert into queues (name, concurrency) values ('mail', 5)`);
    await ledgerOf().claim({ now: after(60_000) });
    const gated = { workerId: 'w1', quotas: [{ queue: 'mail', take: 5, start: 5 }], jobNames: ['job'] };
    await ledgerOf().stores.work.claimGated({ ...gated, now: after(60_000) });
    await expectTold([
      { job: 'job', state: 'failed', count: 1 },
      { job: 'job', state: 'skipped', count: 2 },
    ]);
  });

  it('by a cancel of what waits, and not of what runs and is asked to stop', async () => {
    const [first, second] = await ledgerOf().insert({ runAt: after(60_000) }, {});
    await ledgerOf().claim();
    const { operations } = ledgerOf().stores;
    expect(await operations.cancel(second!.executionId, request)).toBe('asked');
    expect(await operations.cancel(first!.executionId, request)).toBe('canceled');
    expect(await operations.cancel(first!.executionId, request)).toBeNull();
    await expectTold([{ job: 'job', state: 'canceled', count: 1 }]);
  });

  it('by a cancel of their backfill', async () => {
    const daily = scheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin' });
    await ledgerOf().stores.schedules.register([daily], T0);
    const january = { from: new Date('2026-01-10T00:00:00Z'), to: new Date('2026-01-14T12:00:00Z') };
    const { backfillId } = await backfill(ledgerOf(), daily, january);
    await ledgerOf().stores.backfills.cancel(backfillId, request);
    await ledgerOf().stores.backfills.cancel(backfillId, request);
    await expectTold([{ job: 'daily', state: 'canceled', count: 5 }]);
  });

  it.each([
    ['skip', 'skipped', 2],
    ['queue-latest', 'skipped', 1],
  ] as const)('by the overlap policy %s', async (overlap, state, count) => {
    await ledgerOf().jobs({ name: 'job', overlap });
    await group.arrive([1]);
    await group.claim();
    await group.arrive([2]);
    await group.arrive([3]);
    await expectTold([{ job: 'job', state, count }]);
  });

  it('by a newer one that replaces them, while they wait for a retry', async () => {
    await ledgerOf().jobs({ name: 'job', overlap: 'replace' });
    await group.arrive([1]);
    const [first] = await group.claim();
    const retry = { disposition: 'retry', outcome: 'failed', runAt: after(600_000) } as const;
    await ledgerOf().stores.work.finish([attemptRecord(first!, retry)], { workerId: 'w1', now: T0 });
    await group.arrive([2]);
    await expectTold([{ job: 'job', state: 'canceled', count: 1 }]);
  });

  it('at their birth, by a tick and by a backfill, and not again by a tick that is repeated', async () => {
    await ledgerOf().stores.schedules.register([everySecondJob({ name: 'a' })], T0);
    const second = T0.getTime() / 1_000;
    const tick = () =>
      ledgerOf().stores.schedules.tick({ jobNames: ['a'], limit: 10, now: after(3_000) }, (due) => ({
        ...everySecond()(due),
        executions: [1, 2, 3].map((n) => ({ ...secondOf('a', second + n), skip: n === 3 ? null : 'excluded' })),
      }));
    await tick();
    await ledgerOf().sql('update schedules set cursor_at = $1, next_at = $2', [T0, after(1_000)]);
    await tick();
    const off = scheduledJob('0 6 * * *', { name: 'off', timeZone: 'UTC', exclude: () => true });
    await ledgerOf().stores.schedules.register([off], T0);
    const range = { from: new Date('2026-01-10T00:00:00Z'), to: new Date('2026-01-12T12:00:00Z') };
    await backfill(ledgerOf(), off, range);
    await expectTold([
      { job: 'a', state: 'skipped', count: 2 },
      { job: 'off', state: 'skipped', count: 3 },
    ]);
  });
});

const claimAll = (minute: number) =>
  ledgerOf().stores.work.claim({
    workerId: 'w1',
    quotas: [{ queue: 'default', take: 10, start: 10 }],
    jobNames: ['killer', 'other'],
    now: after(minute * 60_000),
  });
