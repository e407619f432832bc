import { expect, it, describe } from 'vitest';
import { tickAll } from '../support/backfills.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const facts = (now: Date) => ledgerOf().stores.overview.facts(now);
const operator = { actor: 'anna', reason: 'a test' };

describe('the overview', () => {
  it('counts what waits, runs and is tried again', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert(...Array.from({ length: 4 }, () => newExecution({ jobName: 'job' })));
    const [first] = await ledgerOf().claim({ take: 2 });
    const retry = { disposition: 'retry', outcome: 'failed', runAt: after(MINUTE) } as const;
    await ledgerOf().stores.work.finish([attemptRecord(first!, retry)], { workerId: 'w1', now: T0 });
    expect((await facts(T0)).executions).toEqual({
      pending: { count: 2, capped: false },
      running: { count: 1, capped: false },
      retrying: { count: 1, capped: false },
    });
  });

  it('counts no further than 10,000', async () => {
    await ledgerOf().sql(
      `with e as (
         insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
         select 'job:' || n, 'job', $1, 'default', 0, 4, 'enqueue', $1 from generate_series(1, 10001) n returning id, key),
       k as (insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from e)
       insert into work (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms)
       select id, 'job', 'default', 0, $1, 'ready', 4, 30000 from e`,
      [T0],
    );
    expect((await facts(T0)).executions.pending).toEqual({ count: 10_000, capped: true });
  });

  it('tells schedules that are paused, disabled and behind', async () => {
    const jobs = ['late', 'paused', 'resting'].map((name) =>
      scheduledJob('0 * * * *', { name, ...(name === 'resting' ? { disabled: true } : {}) }),
    );
    await ledgerOf().stores.schedules.register(jobs, T0);
    await tickAll(ledgerOf(), jobs, after(HOUR));
    await ledgerOf().stores.suspensions.pause('paused', { ...operator, now: after(HOUR) });
    await tickAll(ledgerOf(), jobs.slice(2), after(2 * HOUR));
    expect((await facts(after(2 * HOUR + 30_000))).schedules).toMatchObject({
      total: 3,
      paused: 1,
      disabled: 1,
      behind: 0,
    });
    const { schedules } = await facts(after(2 * HOUR + MINUTE));
    expect(schedules).toMatchObject({ orphaned: 0, behind: 1, behindNames: ['late'] });
  });

  it('names jobs whose executions wait for a worker that has their handler', async () => {
    await ledgerOf().jobs({ name: 'gone' }, { name: 'old' });
    await ledgerOf().insert(newExecution({ jobName: 'gone' }));
    await ledgerOf().sql(`update jobs set unhandled_since = $1`, [T0]);
    expect((await facts(T0)).unhandled).toEqual([]);
    await ledgerOf().stores.suspensions.holdIdle(10);
    expect((await facts(T0)).unhandled).toEqual(['gone']);
  });

  it('counts processes that live, by what they do', async () => {
    const seen = (instanceId: string, roles: readonly ('scheduler' | 'worker')[], now: Date) =>
      ledgerOf().stores.instances.seen(
        { instanceId, roles, workerId: null, version: '1', definitionsDigest: 'd', zoneData: null },
        now,
      );
    await seen('a', ['scheduler', 'worker'], T0);
    await seen('b', ['worker'], T0);
    await seen('c', ['worker'], after(-3 * MINUTE));
    await seen('d', ['worker'], T0);
    await ledgerOf().stores.instances.stopped('d', T0);
    expect((await facts(T0)).instances).toEqual({ workers: 2, schedulers: 1, total: 2 });
  });
});
