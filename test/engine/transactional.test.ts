import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

describe('A transactional job', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));

  const balance = async () => (await ledger().row<{ balance: number }>('select balance from public.accounts')).balance;
  const transactional = (handler: (run: Run) => unknown, options: object = {}) => ({
    job: { handler, transactional: true, ...options },
  });
  const pay = (run: Run) => run.manager!.query('update public.accounts set balance = balance + 10');

  it('commits its changes and its completion together', async () => {
    let outside: number | undefined;
    const worker = await startWorker(
      transactional(async (run) => {
        await pay(run);
        run.count({ processed: 1 });
        run.log.info('paid');
        outside = await balance();
        return 'paid';
      }),
    );
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 1, result: 'paid' });
    expect(outside).toBe(0);
    expect(await balance()).toBe(10);
    expect(await ledger().row('select processed from outcomes')).toEqual({ processed: '1' });
    expect(await ledger().sql('select message from logs where execution_id = $1', [id])).toEqual([{ message: 'paid' }]);
    await worker.recorder.next('execution.ended');
    expect(worker.recorder.of('execution.ended')).toMatchObject([{ state: 'succeeded' }]);
  });

  it('rolls back with everything it did when it throws, and is tried again', async () => {
    const worker = await startWorker(
      transactional(async (run) => {
        await pay(run);
        await run.transaction((tx) => tx.query('update public.accounts set balance = balance + 100'));
        if (run.attempt === 1) throw new Error('again');
      }),
    );
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(await balance()).toBe(110);
    expect((await worker.attempts(id)).map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
  });

  it('rolls back when its commit fails, and is tried again', async () => {
    await ledger().sql(`
      create table public.once (id int);
      create function public.collide() returns trigger language plpgsql as
        $$ begin raise exception 'somebody else was first' using errcode = 'serialization_failure'; end $$;
      create constraint trigger collide after insert on public.once deferrable initially deferred
        for each row execute function public.collide()`);
    const worker = await startWorker(
      transactional(async (run) => {
        await pay(run);
        if (run.attempt === 1) await run.manager!.query('insert into public.once values (1)');
      }),
    );
    const ended = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(await balance()).toBe(10);
    await ledger().sql('drop table public.once; drop function public.collide');
  });

  it('rolls back and fails at once when its commit fails for good', async () => {
    await ledger().sql('create table public.once (id int unique deferrable initially deferred)');
    await ledger().sql('insert into public.once values (1)');
    const worker = await startWorker(
      transactional(async (run) => {
        await pay(run);
        await run.manager!.query('insert into public.once values (1)');
      }),
    );
    expect(await worker.run('job')).toMatchObject({ state: 'failed', attempts: 1, error_code: '23505' });
    expect(await ledger().row('select error_kind from outcomes')).toEqual({ error_kind: 'permanent' });
    expect(await balance()).toBe(0);
    await ledger().sql('drop table public.once');
  });

  it('says what to do when the server ended it because it was silent for as long as its lease', async () => {
    const session =
      "select pid from pg_stat_activity where state = 'idle in transaction' and datname = current_database()";
    const worker = await startWorker(
      transactional(
        async (run) => {
          await pay(run);
          await eventually(async () => (await ledger().sql(session)).length === 0);
          await pay(run);
        },
        { retry: { maxAttempts: 1 } },
      ),
    );
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', error_code: 'JOBS_TRANSACTION_IDLE' });
    expect((await worker.attempts(id))[0]?.error_message).toMatch(
      /longer than its lease of 1s.*outside of the transaction, or raise the job's "lease"/,
    );
    expect(await balance()).toBe(0);
  });

  it('rolls back when it was asked to stop before its commit, and ends canceled', async () => {
    const worker = await startWorker(
      transactional(async (run) => {
        await pay(run);
        await ledger().sql('update work set cancel_requested_at = now()');
        return 'kept';
      }),
    );
    expect(await worker.run('job')).toMatchObject({ state: 'canceled', result: 'kept' });
    expect(await balance()).toBe(0);
  });

  it('rolls back when its lease was lost before its commit, and records nothing', async () => {
    const worker = await startWorker(
      transactional(async (run) => {
        if (run.attempt > 1) return 'second';
        await pay(run);
        await ledger().takeOver();
        return 'first';
      }),
    );
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2, result: 'second' });
    expect(await balance()).toBe(0);
    expect((await worker.attempts(id)).map(({ outcome }) => outcome)).toEqual(['lost', 'succeeded']);
    await worker.recorder.next('lease.lost');
    expect(worker.recorder.of('lease.lost')).toHaveLength(1);
  });

  it('rolls back when it runs out of time', async () => {
    const worker = await startWorker(
      transactional(
        async (run) => {
          await pay(run);
          await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        },
        { timeout: '50ms', retry: { maxAttempts: 1 } },
      ),
    );
    expect(await worker.run('job')).toMatchObject({ state: 'failed', error_code: 'JOBS_ATTEMPT_TIMEOUT' });
    expect(await balance()).toBe(0);
  });

  it('cannot cut its transaction into chunks', async () => {
    const worker = await startWorker(
      transactional((run) =>
        run.items({ name: 'x', key: (item: number) => item, source: async () => [] }, async () => undefined),
      ),
    );
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, error_code: 'JOBS_PERMANENT' });
    expect((await worker.attempts(id))[0]?.error_message).toContain('leave out either run.items or transactional');
  });
});
