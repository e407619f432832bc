import { describe, expect, it } from 'vitest';
import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import { Upkeep } from '../../libs/scheduled-jobs/src/engine/upkeep.js';
import { EventRecorder, eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, newExecution, T0 } from '../support/ledger.js';
import { backgroundJob } from '../support/schedules.js';
import { useWorkers } from '../support/test-workers.js';

const ledger = useLedger();
const startWorker = useWorkers(ledger);
const POLL_MS = 2_500;
const TWO_POLLS = { withinMs: 2 * POLL_MS };

/** Executions that come before all others of their queue. */
const crowd = async (jobName: string, parts: Partial<NewExecution> = {}) => {
  const executions = Array.from({ length: 1_000 }, () => newExecution({ jobName, priority: -5, ...parts }));
  await ledger().stores.executions.insert(executions, { tx: null, now: null });
};
const register = (...names: string[]) =>
  ledger().stores.schedules.register(
    names.map((name) => backgroundJob(name)),
    T0,
  );
const request = { actor: null, reason: 'a rest', now: null };
const phases = () => ledger().sql('select phase, count(*)::int as n from work group by 1 order by 1');

/** The duties, three times in two minutes. */
async function upkeep(): Promise<EventRecorder> {
  const recorder = new EventRecorder();
  const clock = { now: T0, monotonicMs: () => performance.now(), boundNow: () => clock.now };
  const duties = new Upkeep({ ...ledger().stores, clock, emit: recorder.emit });
  for (const minutes of [0, 1, 2]) {
    clock.now = after(minutes * 60_000 + minutes);
    expect(await duties.runOnce()).toMatchObject({ failures: [] });
  }
  return recorder;
}

describe('A thousand executions that may not run', () => {
  it('because their key has no free slot delay no other job', async () => {
    const { passed, open } = gate();
    const worker = await startWorker(
      { crowd: { handler: () => passed, overlap: 'queue' }, other: { handler: () => undefined, overlap: 'queue' } },
      { pollIntervalMs: POLL_MS, concurrency: 2 },
    );
    await crowd('crowd', { concurrencyKey: 'job:crowd' });
    await worker.recorder.next('attempt.started', { where: ({ job }) => job === 'crowd' });
    const [keyed, plain] = await worker.enqueue('other', { concurrencyKey: 'job:other' }, {});
    expect(await worker.ended(plain!, TWO_POLLS.withinMs)).toMatchObject({ state: 'succeeded' });
    expect(await worker.ended(keyed!, TWO_POLLS.withinMs)).toMatchObject({ state: 'succeeded' });
    expect(await phases()).toEqual([
      { phase: 'leased', n: 1 },
      { phase: 'waiting', n: 999 },
    ]);
    open();
  });

  it('because no worker handles their job delay no other, are put aside, and run when one does', async () => {
    await register('crowd', 'other');
    await crowd('crowd');
    const jobs = { other: () => undefined };
    const worker = await startWorker(jobs, { pollIntervalMs: POLL_MS });
    const [other] = await worker.enqueue('other');
    expect(await worker.ended(other!, TWO_POLLS.withinMs)).toMatchObject({ state: 'succeeded' });
    const recorder = await upkeep();
    expect(recorder.of('job.unhandled')).toEqual([{ type: 'job.unhandled', job: 'crowd' }]);
    expect(await phases()).toEqual([{ phase: 'held', n: 1_000 }]);
    const late = await startWorker({ crowd: () => undefined }, { pollIntervalMs: POLL_MS });
    await late.recorder.next('attempt.started', TWO_POLLS);
    await eventually(async () => (await phases()).length === 0);
    expect(await ledger().row(`select unhandled_since from jobs where name = 'crowd'`)).toEqual({
      unhandled_since: null,
    });
  });

  it('because their job is paused delay no other, are put aside, and run when it is resumed', async () => {
    await register('crowd', 'other');
    await ledger().stores.suspensions.pause('crowd', request);
    await crowd('crowd');
    const jobs = { crowd: () => undefined, other: () => undefined };
    const worker = await startWorker(jobs, { pollIntervalMs: POLL_MS });
    const [other] = await worker.enqueue('other');
    expect(await worker.ended(other!, TWO_POLLS.withinMs)).toMatchObject({ state: 'succeeded' });
    await upkeep();
    expect(await phases()).toEqual([{ phase: 'held', n: 1_000 }]);
    await ledger().stores.suspensions.resume('crowd', { ...request, catchUp: false });
    await worker.recorder.next('attempt.started', { ...TWO_POLLS, where: ({ job }) => job === 'crowd' });
    await eventually(async () => (await phases()).length === 0);
  });
});
