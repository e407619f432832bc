import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { LeaseStore } from '../../libs/scheduled-jobs/src/core/ports/lease-store.js';
import type { RetentionStore } from '../../libs/scheduled-jobs/src/core/ports/retention-store.js';
import { Scheduler } from '../../libs/scheduled-jobs/src/engine/scheduler.js';
import { Upkeep, UPKEEP_LEASE, type UpkeepDependencies } from '../../libs/scheduled-jobs/src/engine/upkeep.js';
import { EventRecorder, eventually, gate, scheduledJob as cronJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';
import { scheduledJob } from '../support/schedules.js';
import { startStopStress } from '../support/start-stop-stress.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const ledgerOf = useLedger();
const started: Upkeep[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((upkeep) => upkeep.stop()));
});

function setUp({ now = T0, ...dependencies }: Partial<UpkeepDependencies> & { now?: Date | null } = {}) {
  const recorder = new EventRecorder();
  const clock = { now, monotonicMs: () => performance.now(), boundNow: () => clock.now };
  const { leases, suspensions, retention, instances, requests } = ledgerOf().stores;
  const stores = { leases, suspensions, retention, instances, requests, ...dependencies };
  const upkeep = new Upkeep({ ...stores, clock, emit: recorder.emit });
  started.push(upkeep);
  return { upkeep, recorder, clock };
}

/** Succeeded executions that ended at T0, of a job that keeps them for a day. */
async function oldExecutions(jobName: string, count: number): Promise<void> {
  await ledgerOf().sql(`insert into jobs (name, overlap, concurrency, retention) values ($1, 'queue', 1, $2)`, [
    jobName,
    { succeeded: DAY_MS },
  ]);
  await ledgerOf().sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select $1 || ':' || n, $1, $2, 'default', 0, 4, 'enqueue', $2 from generate_series(1, $3::int) n returning id, key),
     k as (insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from e)
     insert into outcomes (execution_id, state, finished_at) select id, 'succeeded', $2 from e`,
    [jobName, T0, count],
  );
}
/** Nobody is idle: for tests that stand in for the orphans alone. */
const NOBODY_IDLE = { markUnhandled: async () => [], holdIdle: async () => 0 };

const left = async (table = 'executions') =>
  (await ledgerOf().row<{ n: number }>(`select count(*)::int as n from ${table}`)).n;

/** Grants the lease to everybody: two leaders at once. */
const everyoneLeads = (): LeaseStore<never> => {
  const { leases } = ledgerOf().stores;
  let token = 0;
  return Object.create(leases, {
    acquire: {
      value: async ({ name, ttlMs, now }: Parameters<typeof leases.acquire>[0]) => ({
        acquired: true,
        lease: { name, ttlMs, leaseToken: String(++token), acquiredAt: now ?? new Date() },
      }),
    },
    renew: { value: () => Promise.resolve(true) },
  }) as LeaseStore<never>;
};
/** Retention that has always something to remove. */
function endlessRetention(onPrune: (calls: number) => Promise<unknown>) {
  const calls = { count: 0 };
  const retention: RetentionStore = {
    jobNames: () => Promise.resolve(['job']),
    prune: async () => {
      await onPrune(++calls.count);
      return { removed: 1_000, next: { scheduledFor: T0, executionId: String(calls.count) } };
    },
  };
  return { calls, retention };
}

/** Upkeep with much to remove that loses its lease with the first statement. */
function setUpLosing(dependencies: Partial<UpkeepDependencies> = {}) {
  const refused = gate();
  const refuse = async () => {
    refused.open();
    return false;
  };
  const leases = Object.create(everyoneLeads(), { renew: { value: refuse } }) as LeaseStore<never>;
  const { calls, retention } = endlessRetention(async () => {
    await refused.passed;
    await nextTurn(); // The signal has aborted by now.
  });
  return { ...setUp({ leases, retention, ttlMs: 600, ...dependencies }), calls };
}

describe('One pass of upkeep', () => {
  it('removes old executions of all jobs, old requests and leases that ran out, and frees its own', async () => {
    await oldExecutions('a', 2_300);
    await oldExecutions('b', 10);
    await ledgerOf().stores.leases.acquire({ name: 'left', holder: 'h', ttlMs: 1_000, now: T0 });
    await ledgerOf().stores.requests.begin({ requestId: 'old', digest: 'd' }, T0);
    const { upkeep, recorder } = setUp({ now: after(2 * DAY_MS) });
    expect(await upkeep.runOnce()).toEqual({ orphaned: [], pruned: 2_310, hasMore: false, failures: [] });
    expect(recorder.events).toEqual([
      { type: 'executions.pruned', job: 'a', count: 2_300 },
      { type: 'executions.pruned', job: 'b', count: 10 },
    ]);
    expect(await left()).toBe(0);
    expect(await left('keys')).toBe(2_310);
    expect(await left('leases')).toBe(0);
    expect(await left('requests')).toBe(0);
  });

  it('leaves the duties to another instance that leads', async () => {
    await oldExecutions('a', 1);
    const { leases } = ledgerOf().stores;
    await leases.acquire({ name: UPKEEP_LEASE, holder: 'h', ttlMs: MINUTE_MS, now: after(2 * DAY_MS) });
    const { upkeep } = setUp({ now: after(2 * DAY_MS) });
    expect(await upkeep.runOnce()).toBeNull();
    expect(await left()).toBe(1);
  });

  it('reports a duty that fails and does the others', async () => {
    await oldExecutions('a', 5);
    await oldExecutions('b', 5);
    await ledgerOf().sql(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not these'; end $$;
      create trigger refuse before delete on executions for each row when (old.job_name = 'a') execute function refuse()`);
    const suspensions = { ...NOBODY_IDLE, suspendOrphans: () => Promise.reject(new Error('no orphans')) };
    const { upkeep, recorder } = setUp({ now: after(2 * DAY_MS), suspensions });
    const summary = await upkeep.runOnce();
    await ledgerOf().sql('drop function refuse cascade');
    expect(summary).toMatchObject({ pruned: 5, failures: [{ duty: 'orphans' }, { duty: 'retention of "a"' }] });
    expect(recorder.of('service.failed')).toMatchObject([
      { service: 'upkeep: orphans', error: { message: 'no orphans' } },
      { service: 'upkeep: retention of "a"', error: { message: 'not these' } },
    ]);
    expect(await ledgerOf().sql('select job_name from executions group by job_name')).toEqual([{ job_name: 'a' }]);
  });

  it('ends between two statements when its lease is lost', async () => {
    const { upkeep, calls } = setUpLosing();
    await expect(upkeep.runOnce()).rejects.toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST' });
    expect(calls.count).toBe(1);
  });
});

describe('Orphans', () => {
  const suspensions = () =>
    ledgerOf().sql('select job_name, kind, to_at from suspensions order by job_name, kind, from_at');

  it('are suspended when this process has looked for ten minutes and nobody has carried them meanwhile', async () => {
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'gone' })], T0);
    const { upkeep, clock, recorder } = setUp({ now: T0 });
    for (let minute = 0; minute < 10; minute += 2) {
      clock.now = after(minute * MINUTE_MS);
      expect(await upkeep.runOnce()).toMatchObject({ orphaned: [] });
    }
    clock.now = after(10 * MINUTE_MS + 1);
    expect(await upkeep.runOnce()).toMatchObject({ orphaned: ['gone'] });
    expect(await upkeep.runOnce()).toMatchObject({ orphaned: [] });
    expect(recorder.of('schedule.orphaned')).toEqual([{ type: 'schedule.orphaned', job: 'gone' }]);
    expect(await suspensions()).toEqual([{ job_name: 'gone', kind: 'orphaned', to_at: null }]);
  });

  it('are not judged after a gap in which the database could not be seen', async () => {
    const looked: Date[] = [];
    const suspensions: UpkeepDependencies['suspensions'] = {
      ...NOBODY_IDLE,
      suspendOrphans: async ({ observingSince }) => {
        looked.push(observingSince);
        return [];
      },
    };
    const { upkeep, clock } = setUp({ suspensions });
    for (const minute of [0, 1, 4, 60, 62]) {
      clock.now = after(minute * MINUTE_MS);
      await upkeep.runOnce();
    }
    expect(looked).toEqual([T0, T0, T0, after(60 * MINUTE_MS), after(60 * MINUTE_MS)]);
  });

  it('count the time in which another instance led', async () => {
    const { leases } = ledgerOf().stores;
    const { upkeep, clock } = setUp();
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'gone' })], T0);
    const other = await leases.acquire({ name: UPKEEP_LEASE, holder: 'h', ttlMs: 9 * MINUTE_MS, now: T0 });
    expect(other.acquired).toBe(true);
    for (const minute of [0, 3, 6, 8]) {
      clock.now = after(minute * MINUTE_MS);
      expect(await upkeep.runOnce()).toBeNull();
    }
    clock.now = after(11 * MINUTE_MS);
    expect(await upkeep.runOnce()).toMatchObject({ orphaned: ['gone'] });
  });
});

describe('Two leaders at once', () => {
  it('do each thing once: every execution is removed once, an orphan is suspended once, and nothing fails', async () => {
    await oldExecutions('a', 5_000);
    await ledgerOf().stores.schedules.register([scheduledJob({ name: 'gone' })], T0);
    const leaders = [1, 2].map(() => setUp({ leases: everyoneLeads(), now: after(-20 * MINUTE_MS) }));
    for (const minute of [-20, -17, -14, -11, -8, -5, -2, 1, 4, 7, 10]) {
      for (const { clock } of leaders) clock.now = after(minute * MINUTE_MS);
      await Promise.all(leaders.map(({ upkeep }) => upkeep.runOnce()));
    }
    for (const { clock } of leaders) clock.now = after(11 * MINUTE_MS);
    const orphaned = await Promise.all(leaders.map(({ upkeep }) => upkeep.runOnce()));
    expect(orphaned.flatMap((summary) => summary?.orphaned)).toEqual(['gone']);
    expect(await left('suspensions')).toBe(1);
    for (const { clock } of leaders) clock.now = after(2 * DAY_MS);
    const summaries = await Promise.all(leaders.map(({ upkeep }) => upkeep.runOnce()));
    expect(summaries.map((summary) => summary?.failures)).toEqual([[], []]);
    const removed = summaries.reduce((sum, summary) => sum + (summary?.pruned ?? 0), 0);
    expect(removed + (await left())).toBe(5_000);
    await leaders[0]!.upkeep.runOnce();
    expect(await left()).toBe(0);
    expect(await left('keys')).toBe(5_000);
  });

  it('that tick as well make each period once, also when they remove it at the same time', async () => {
    const definition = cronJob('* * * * * *', { name: 'second', overlap: 'allow', startAt: T0 });
    await ledgerOf().stores.schedules.register([definition], T0);
    await ledgerOf().sql('update jobs set retention = $1', [{ succeeded: 1_000 }]);
    const leaders = [1, 2].map(() => {
      const leader = setUp({ leases: everyoneLeads() });
      const store = ledgerOf().storesOf(ledgerOf().dataSource).schedules;
      const { clock, recorder } = leader;
      return { ...leader, scheduler: new Scheduler({ store, definitions: [definition], clock, emit: recorder.emit }) };
    });
    for (const second of [10, 20, 30, 40]) {
      for (const { clock } of leaders) clock.now = after(second * 1_000);
      await Promise.all(leaders.map(({ scheduler }) => scheduler.runOnce()));
      const claimed = await ledgerOf().claim({ now: after(second * 1_000) });
      await ledgerOf().stores.work.finish(
        claimed.map((one) => attemptRecord(one, { finishedAt: after(second * 1_000 - 5_000) })),
        { workerId: 'w1', now: after(second * 1_000 - 5_000) },
      );
      await Promise.all(leaders.flatMap(({ scheduler, upkeep }) => [scheduler.runOnce(), upkeep.runOnce()]));
      await ledgerOf().sql('update schedules set cursor_at = $1, next_at = $1', [T0]);
    }
    await leaders[0]!.scheduler.runOnce();
    const inserted = leaders.flatMap(({ recorder }) => recorder.of('schedule.ticked')).map((tick) => tick.inserted);
    expect(inserted.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(await left('keys')).toBe(40);
    expect(await left()).toBeLessThan(40);
    expect(leaders.flatMap(({ recorder }) => recorder.of('service.failed'))).toEqual([]);
  });
});

describe('Upkeep that goes on by itself', () => {
  const leader = () => ledgerOf().sql<{ holder: string }>('select holder from leases');

  const counting = () => {
    const passes = { count: 0 };
    const suspendOrphans = async () => {
      passes.count++;
      return [];
    };
    return { passes, suspensions: { ...NOBODY_IDLE, suspendOrphans } };
  };

  it('is led by one instance, also between two passes, until that one stops', async () => {
    const { passes, suspensions } = counting();
    const first = setUp({ now: null, intervalMs: 2_000, suspensions });
    const second = setUp({ now: null });
    first.upkeep.start();
    await eventually(() => passes.count === 1);
    expect(await second.upkeep.runOnce()).toBeNull();
    await first.upkeep.stop();
    expect(await leader()).toEqual([]);
    expect(await second.upkeep.runOnce()).not.toBeNull();
  });

  it('comes again and again, and passes to another instance', async () => {
    const [a, b] = [counting(), counting()];
    const upkeeps = [a, b].map(({ suspensions }) => setUp({ now: null, intervalMs: 40, suspensions }));
    for (const { upkeep } of upkeeps) upkeep.start();
    await eventually(() => a.passes.count + b.passes.count >= 6);
    await upkeeps[0]!.upkeep.stop();
    const { count } = b.passes;
    await eventually(() => b.passes.count >= count + 2);
    await upkeeps[1]!.upkeep.stop();
    expect(upkeeps.flatMap(({ recorder }) => recorder.events)).toEqual([]);
  });

  it('goes on at once while there is more to remove', async () => {
    await oldExecutions('a', 25_000);
    const { upkeep, recorder } = setUp({ now: after(2 * DAY_MS), intervalMs: 400 });
    upkeep.start();
    await eventually(() => recorder.of('executions.pruned').length === 3, { what: 'three passes', withinMs: 25_000 });
    expect(recorder.of('executions.pruned').map(({ count }) => count)).toEqual([10_000, 10_000, 5_000]);
    expect(await left()).toBe(0);
  }, 30_000);

  it('ends a long removal between two statements when it is stopped, and gives the lease back', async () => {
    const reached = gate();
    let stopped: Promise<void> | undefined;
    // The first statement of the third pass.
    const { calls, retention } = endlessRetention(async (count) => {
      if (count < 21) return;
      stopped = upkeep.stop();
      reached.open();
    });
    const { upkeep } = setUp({ now: null, intervalMs: 10, retention });
    upkeep.start();
    await reached.passed;
    await stopped;
    expect(calls.count).toBe(21);
    expect(await leader()).toEqual([]);
  });

  it('ends its turn when its lease is lost, and tries to lead again', async () => {
    const { upkeep, recorder, calls } = setUpLosing({ intervalMs: 10 });
    upkeep.start();
    const failed = await recorder.next('service.failed', { withinMs: 10_000 });
    expect(failed).toMatchObject({ service: 'upkeep', error: { code: 'JOBS_NAMED_LEASE_LOST' } });
    expect(calls.count).toBe(1);
    await eventually(() => calls.count > 1);
  });

  it('does not keep a process for longer than 5 s', async () => {
    const held = gate();
    const begun = gate();
    const retention: RetentionStore = {
      jobNames: async () => {
        begun.open();
        await held.passed;
        return [];
      },
      prune: () => Promise.reject(new Error('not called')),
    };
    const { upkeep } = setUp({ now: null, intervalMs: 10, retention });
    upkeep.start();
    await begun.passed;
    // Both timers are of one event loop: a busy machine delays the one with the other.
    const stopped = upkeep.stop().then(() => 'stopped');
    expect(await Promise.race([stopped, pause(6_000, 'late', { ref: false })])).toBe('stopped');
    held.open();
    await eventually(async () => (await leader()).length === 0);
  });

  it('starts with a pause, and survives starts and stops in any order', async () => {
    const { upkeep, recorder } = setUp({ now: null });
    const quiet = await startStopStress(upkeep, async () => (await leader()).length === 0);
    expect(quiet).toBe(true);
    expect(recorder.events).toEqual([]);
    const often = setUp({ now: null, intervalMs: 1 });
    expect(await startStopStress(often.upkeep, async () => (await leader()).length === 0)).toBe(true);
  });
});
