import { describe, expect, it } from 'vitest';
import { ExecutionEndedError, ExecutionHeldError } from '../../libs/scheduled-jobs/src/core/operation-errors.js';
import { ExecutionNotFoundError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { Operations } from '../../libs/scheduled-jobs/src/engine/operations.js';
import { gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import type { Handler, Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const ledger = useLedger();
const startWorker = useWorkers(ledger);
const by = { actor: 'ann', reason: 'wrong customer', now: null };
const operations = () => new Operations(ledger().stores.operations, ledger().stores.replays);

/** A job whose renewals come every few minutes: what it hears within seconds it hears from the cancel watch. */
const slowly = (handler: Handler, options: object = {}) => ({ job: { handler, lease: '10m', ...options } });
const aborted = ({ signal }: Run) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('The cancel of a running execution', () => {
  it('fires the signal within a second, and ends it canceled with the late result as information', async () => {
    const started = gate();
    let abortedAt = 0;
    const worker = await startWorker(
      slowly(async (run) => {
        started.open();
        await aborted(run);
        abortedAt = performance.now();
        return { sent: 3 };
      }),
    );
    const [id] = await worker.enqueue('job');
    await started.passed;
    const asked = performance.now();
    expect(await operations().cancel(id!, by)).toMatchObject({ executionId: id, done: 'asked' });
    expect(await worker.ended(id!)).toMatchObject({ state: 'canceled', result: { sent: 3 }, attempts: 1 });
    expect(abortedAt - asked).toBeLessThan(1_500);
    expect(await ledger().sql('select 1 from work')).toEqual([]);
    expect(await ledger().sql('select action, actor, reason, details from audit')).toEqual([
      { action: 'cancel', actor: 'ann', reason: 'wrong customer', details: { done: 'asked' } },
    ]);
    await expect(operations().replay(id!, { ...by, force: false, corrected: null })).resolves.toMatchObject({
      executionId: id,
    });
    await ledger().sql('truncate work, executions, keys, attempts');
  });

  it('schedules no retry for a failure that comes after the request', async () => {
    const worker = await startWorker(
      slowly(async (run) => {
        await operations().cancel(run.key, by);
        throw new Error('too late');
      }),
    );
    expect(await worker.run('job', { key: 'job:1' })).toMatchObject({ state: 'canceled', attempts: 1 });
    expect(await ledger().sql('select 1 from work')).toEqual([]);
  });

  it('rolls a transaction back that wants to commit after the request', async () => {
    await ledger().sql('create table if not exists effects (n int)');
    const worker = await startWorker(
      slowly(async (run) => {
        const transaction = run.transaction(async (manager) => {
          await manager.query('insert into scheduled_jobs.effects values (1)');
          await operations().cancel(run.key, by);
        });
        return transaction.catch((error: { code: string }) => error.code);
      }),
    );
    expect(await worker.run('job', { key: 'job:1' })).toMatchObject({
      state: 'canceled',
      result: 'JOBS_EXECUTION_CANCELED',
    });
    expect(await ledger().sql('select 1 from effects')).toEqual([]);
    await ledger().sql('drop table effects');
  });

  it('fences everything of a handler that does not stop within the abort grace', async () => {
    const settled = gate();
    let late: unknown;
    const worker = await startWorker(
      slowly(
        async (run) => {
          await operations().cancel(run.key, by);
          await aborted(run);
          await settled.passed;
          try {
            late = await run.transaction(() => Promise.resolve('committed'));
          } catch (error) {
            late = error;
          }
        },
        { abortGrace: '20ms' },
      ),
    );
    expect(await worker.run('job', { key: 'job:1' })).toMatchObject({ state: 'canceled', result: null });
    settled.open();
    await expect.poll(() => late).toMatchObject({ code: 'JOBS_EXECUTION_CANCELED' });
  });

  it('ends what its worker left behind as soon as the lease has run out', async () => {
    await ledger().jobs({ name: 'job' });
    await ledger().insert({ key: 'job:1' });
    await ledger().claim({ worker: 'dead' });
    expect(await operations().cancel('job:1', { ...by, now: T0 })).toMatchObject({ done: 'asked' });
    expect(await ledger().stores.work.rescue(10, after(30_001))).toMatchObject([{ ending: 'canceled' }]);
    expect(await ledger().row('select state from outcomes')).toEqual({ state: 'canceled' });
  });
});

describe('The cancel of an execution that nobody holds', () => {
  it('ends it at once and gives its slot on', async () => {
    await ledger().jobs({ name: 'job' });
    await ledger().insert({ key: 'job:1', concurrencyKey: 'k' }, { key: 'job:2', concurrencyKey: 'k' });
    await ledger().stores.work.admit(['k']);
    expect(await operations().cancel('job:1', by)).toMatchObject({ key: 'job:1', done: 'canceled' });
    expect(await ledger().row('select phase, slot from work')).toEqual({ phase: 'ready', slot: 1 });
    expect(await operations().cancel('job:1', by)).toMatchObject({ done: 'canceled' });
    expect(await ledger().sql(`select 1 from audit where action = 'cancel'`)).toHaveLength(1);
  });

  it('is refused for what has ended otherwise or never was', async () => {
    const worker = await startWorker({ job: () => 1 });
    await worker.run('job', { key: 'job:1' });
    await expect(operations().cancel('job:1', by)).rejects.toEqual(new ExecutionEndedError('job:1', 'succeeded'));
    await expect(operations().cancel('job:none', by)).rejects.toEqual(new ExecutionNotFoundError('job:none'));
  });

  it('looks again at a row that another statement holds, and gives up after a second', async () => {
    await ledger().jobs({ name: 'job' });
    await ledger().insert({ key: 'job:1' });
    const client = await ledger().client();
    const holds = async () => {
      await client.query('begin');
      await client.query('select 1 from work for update');
    };
    await holds();
    await expect(operations().cancel('job:1', by)).rejects.toEqual(new ExecutionHeldError('job:1'));
    const canceling = operations().cancel('job:1', by);
    await client.query('rollback');
    expect(await canceling).toMatchObject({ done: 'canceled' });
  });

  it('is on record in the audit exactly if it happens', async () => {
    await ledger().jobs({ name: 'job' });
    await ledger().insert({ key: 'job:1' });
    await ledger().sql(`alter table audit add constraint broken check (action <> 'cancel')`);
    await expect(operations().cancel('job:1', by)).rejects.toThrow('broken');
    await ledger().sql('alter table audit drop constraint broken');
    expect(await ledger().sql('select 1 from outcomes')).toEqual([]);
  });
});

describe('The cancel of an execution that a worker has claimed and not started', () => {
  it('ends it when the worker hands it back, and the worker tells so, once', async () => {
    const { stores } = ledger();
    const [claimed, canceled] = [gate(), gate()];
    const claim: typeof stores.work.claim = async (request) => {
      const executions = await stores.work.claim(request);
      if (executions.length > 0) claimed.open();
      await canceled.passed;
      return executions;
    };
    const work = Object.assign(Object.create(stores.work) as typeof stores.work, { claim });
    const worker = await startWorker({ job: () => undefined }, { stores: { ...stores, work } });
    const [id] = await worker.enqueue('job');
    await claimed.passed;
    expect(await operations().cancel(id!, by)).toMatchObject({ done: 'asked' });
    const stopping = worker.stop({ timeoutMs: 0 });
    canceled.open();
    await stopping;
    expect(await ledger().sql('select state from outcomes')).toEqual([{ state: 'canceled' }]);
    expect(worker.recorder.of('execution.ended')).toMatchObject([{ executionId: id, job: 'job', state: 'canceled' }]);
    expect(ledger().events.filter(({ type }) => type === 'executions.ended')).toEqual([]);
  });
});

describe('An execution that somebody removed by hand', () => {
  it('is a lost lease for its worker, which goes on', async () => {
    const started = gate();
    const removed = gate();
    const worker = await startWorker({
      job: async (run) => {
        if (run.key !== 'job:1') return 'next';
        started.open();
        await removed.passed;
        return 'gone';
      },
    });
    await worker.enqueue('job', { key: 'job:1' });
    await started.passed;
    await ledger().sql('delete from work');
    await ledger().sql('delete from executions');
    removed.open();
    expect(await worker.recorder.next('lease.lost')).toMatchObject({ key: 'job:1' });
    expect(await ledger().sql('select 1 from outcomes union all select 1 from attempts')).toEqual([]);
    expect(await worker.run('job', { key: 'job:2' })).toMatchObject({ state: 'succeeded', result: 'next' });
    expect(worker.recorder.of('service.failed')).toEqual([]);
  });
});
