import type { EntityManager } from 'typeorm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ExecutionCanceledError,
  LeaseLostError,
  StoreUnavailableError,
  TransactionIdleError,
} from '../../libs/scheduled-jobs/src/core/errors.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import type { CommittedWith } from '../../libs/scheduled-jobs/src/core/ports/run-transactions.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
beforeAll(() => ledgerOf().sql('create table public.accounts (id int primary key, points int not null)'));
beforeEach(async () => {
  await ledgerOf().sql('truncate public.accounts');
  await ledgerOf().sql('insert into public.accounts values (1, 0), (2, 0)');
});

const NOTHING: CommittedWith = { counts: { processed: 0, failed: 0, skipped: 0 }, checkpoint: null, failedItem: null };
const add = (tx: EntityManager, points = 10) =>
  tx.query('update public.accounts set points = points + $1 where id = 1', [points]);
const points = async () =>
  (await ledgerOf().row<{ points: number }>('select points from public.accounts where id = 1')).points;
const transactions = () => ledgerOf().stores.transactions;

async function claimOne(execution = {}): Promise<ClaimedExecution> {
  await ledgerOf().insert(execution);
  return (await ledgerOf().claim())[0]!;
}
const loseLease = () => ledgerOf().stores.work.rescue(10, after(31_000));
const loseLeaseToAnother = async () => (
  await loseLease(),
  await ledgerOf().claim({ worker: 'w2', now: after(31_000) })
);
const askToStop = () => ledgerOf().sql('update work set cancel_requested_at = $1', [T0]);

describe('run', () => {
  it('commits what the run did and gives its value back', async () => {
    const lease = await claimOne();
    const value = await transactions().run(
      lease,
      async (tx) => (await add(tx), 'done'),
      () => NOTHING,
    );
    expect(value).toBe('done');
    expect(await points()).toBe(10);
  });

  it('is to be ended by the server when it is idle for as long as the lease', async () => {
    const lease = await claimOne({ leaseMs: 7_000 });
    await transactions().run(
      lease,
      async (tx) => {
        expect(await tx.query('show idle_in_transaction_session_timeout')).toEqual([
          { idle_in_transaction_session_timeout: '7s' },
        ]);
      },
      () => NOTHING,
    );
    expect(await ledgerOf().dataSource.query('show idle_in_transaction_session_timeout')).toEqual([
      { idle_in_transaction_session_timeout: '0' },
    ]);
  });

  it.each([
    ['nothing', NOTHING, loseLease],
    ['counts', { ...NOTHING, counts: { processed: 1, failed: 0, skipped: 0 } }, loseLease],
    ['nothing', NOTHING, loseLeaseToAnother],
    ['counts', { ...NOTHING, counts: { processed: 1, failed: 0, skipped: 0 } }, loseLeaseToAnother],
  ])('rolls back when the lease is lost, also when it commits %s of ours', async (_name, committed, lose) => {
    const lease = await claimOne();
    const run = transactions().run(
      lease,
      async (tx) => (await add(tx), await lose()),
      () => committed,
    );
    await expect(run).rejects.toThrow(LeaseLostError);
    expect(await points()).toBe(0);
    expect(await ledgerOf().row('select processed from work')).toEqual({ processed: null });
  });

  it.each([
    ['nothing', NOTHING],
    ['counts', { ...NOTHING, counts: { processed: 1, failed: 0, skipped: 0 } }],
  ])('rolls back when it was asked to stop, also when it commits %s of ours', async (_name, committed) => {
    const lease = await claimOne();
    const run = transactions().run(
      lease,
      async (tx) => (await add(tx), await askToStop()),
      () => committed,
    );
    await expect(run).rejects.toThrow(ExecutionCanceledError);
    expect(await points()).toBe(0);
    expect(await ledgerOf().row('select processed from work')).toEqual({ processed: null });
  });

  it('hands on what the run throws as it is, also an error of the database', async () => {
    const lease = await claimOne();
    const own = new Error('own');
    await expect(
      transactions().run(
        lease,
        () => Promise.reject(own),
        () => NOTHING,
      ),
    ).rejects.toBe(own);
    await expect(
      transactions().run(
        lease,
        () => {
          throw own;
        },
        () => NOTHING,
      ),
    ).rejects.toBe(own);
    await expect(
      transactions().run(
        lease,
        (tx) => tx.query('select 1/0'),
        () => NOTHING,
      ),
    ).rejects.toMatchObject({ code: '22012' });
  });

  it('commits checkpoint, counts and failed item together, each replacing the one before', async () => {
    const lease = await claimOne();
    expect(await transactions().checkpoint(lease, 'accounts')).toBeNull();
    const commit = (afterKey: number | string, failures: number, itemKey: string | null) =>
      transactions().run(
        lease,
        async () => null,
        () => ({
          counts: { processed: 2, failed: itemKey === null ? 0 : 1, skipped: 0 },
          checkpoint: { itemsName: 'accounts', after: afterKey, done: false, failures },
          failedItem: itemKey === null ? null : { itemKey, error: storedError(`no ${itemKey}`) },
        }),
      );
    await commit(100, 0, null);
    expect(await transactions().checkpoint(lease, 'accounts')).toEqual({
      itemsName: 'accounts',
      after: 100,
      done: false,
      failures: 0,
    });
    await commit('b"7', 1, 'x');
    await commit('b"8', 2, 'x');
    expect(await transactions().checkpoint(lease, 'accounts')).toEqual({
      itemsName: 'accounts',
      after: 'b"8',
      done: false,
      failures: 2,
    });
    expect(await transactions().checkpoint(lease, 'other')).toBeNull();
    expect(await ledgerOf().row('select processed, failed, skipped from work')).toEqual({
      processed: '6',
      failed: '2',
      skipped: null,
    });
    expect(await ledgerOf().sql('select items_name, item_key, error_message, lease_token from items')).toEqual([
      { items_name: 'accounts', item_key: 'x', error_message: 'no x', lease_token: lease.leaseToken },
    ]);
  });

  it('keeps neither checkpoint nor item of a transaction that rolled back', async () => {
    const lease = await claimOne();
    const run = transactions().run(lease, loseLease, () => ({
      counts: { processed: 1, failed: 0, skipped: 0 },
      checkpoint: { itemsName: 'a', after: null, done: true, failures: 1 },
      failedItem: { itemKey: '1', error: storedError() },
    }));
    await expect(run).rejects.toThrow(LeaseLostError);
    expect(await ledgerOf().sql('select 1 from checkpoints union all select 1 from items')).toEqual([]);
  });

  it.each([
    ['nothing', NOTHING],
    ['counts', { ...NOTHING, counts: { processed: 1, failed: 0, skipped: 0 } }],
  ])('keeps rescue away between its fence and its commit, when it commits %s of ours', async (_name, committed) => {
    const lease = await claimOne();
    const rescued: unknown[] = [];
    const hook = { beforeTransactionCommit: async () => void rescued.push(...(await loseLease())) };
    ledgerOf().dataSource.subscribers.push(hook);
    await transactions().run(lease, add, () => committed);
    ledgerOf().dataSource.subscribers.splice(ledgerOf().dataSource.subscribers.indexOf(hook), 1);
    expect(rescued).toEqual([]);
    expect(await points()).toBe(10);
  });

  it('lets heartbeats pass between its fence and its commit', async () => {
    const lease = await claimOne();
    const hook = {
      beforeTransactionCommit: async () =>
        void (await ledgerOf().stores.work.heartbeat([{ ...lease, startedAt: null }], after(1_000))),
    };
    ledgerOf().dataSource.subscribers.push(hook);
    await transactions().run(lease, add, () => NOTHING);
    ledgerOf().dataSource.subscribers.splice(ledgerOf().dataSource.subscribers.indexOf(hook), 1);
    expect(await ledgerOf().row('select lease_until from work')).toEqual({ lease_until: after(31_000) });
  });

  it('holds no lock on its work while the run is at work', async () => {
    const lease = await claimOne();
    const run = transactions().run(
      lease,
      async (tx) => {
        await add(tx);
        await ledgerOf().sql('select 1 from work for update nowait');
        await ledgerOf().stores.work.heartbeat([{ ...lease, startedAt: null }], after(1_000));
      },
      () => NOTHING,
    );
    await expect(run).resolves.toBeUndefined();
  });
});

describe('runAndFinish', () => {
  const finish = (lease: ClaimedExecution, work: (tx: EntityManager) => Promise<unknown>, record = {}) =>
    transactions().runAndFinish(lease, async (tx) => (await work(tx), attemptRecord(lease, record)), 'w1');

  it.each([
    ['a plain success', {}],
    ['a success with a result', { result: '{"n":1}' }],
    ['a success with counts', { counts: { processed: 1, failed: 0, skipped: 0 } }],
    ['an end with errors', { disposition: 'completed_with_errors', outcome: 'completed_with_errors' }],
  ] as const)('commits the changes of the run and its end together: %s', async (_name, record) => {
    const lease = await claimOne();
    const recorded = await finish(lease, add, record);
    expect(recorded).toMatchObject({ executionId: lease.executionId, freedKey: null });
    expect(await points()).toBe(10);
    expect(await ledgerOf().row('select state from outcomes')).toEqual({ state: recorded.disposition });
  });

  it.each([
    ['a plain success', {}],
    ['a success with counts', { counts: { processed: 1, failed: 0, skipped: 0 } }],
  ])('rolls everything back when the lease is lost: %s', async (_name, record) => {
    const lease = await claimOne();
    await expect(finish(lease, async (tx) => (await add(tx), await loseLease()), record)).rejects.toThrow(
      LeaseLostError,
    );
    expect(await points()).toBe(0);
    expect(await ledgerOf().sql('select 1 from outcomes')).toEqual([]);
  });

  it.each([
    ['a plain success', {}],
    ['a success with counts', { counts: { processed: 1, failed: 0, skipped: 0 } }],
  ])('rolls everything back when it was asked to stop: %s', async (_name, record) => {
    const lease = await claimOne();
    await expect(finish(lease, async (tx) => (await add(tx), await askToStop()), record)).rejects.toThrow(
      ExecutionCanceledError,
    );
    expect(await points()).toBe(0);
    expect(await ledgerOf().row('select phase from work')).toEqual({ phase: 'leased' });
  });

  it('keeps the changes of a run whose result cannot be stored', async () => {
    const lease = await claimOne();
    await finish(lease, add, { result: '{"a":"\\u0000"}' });
    expect(await points()).toBe(10);
    expect(await ledgerOf().row('select state, result, result_note from outcomes')).toEqual({
      state: 'succeeded',
      result: null,
      result_note: expect.stringContaining('could not be stored'),
    });
  });

  it('hands on what the run throws and records nothing', async () => {
    const lease = await claimOne();
    const own = new Error('own');
    await expect(finish(lease, async (tx) => (await add(tx), await Promise.reject(own)))).rejects.toBe(own);
    expect(await points()).toBe(0);
    expect(await ledgerOf().row('select phase from work')).toEqual({ phase: 'leased' });
  });

  it('shows the end as done when the commit succeeded and its answer was lost', async () => {
    const lease = await claimOne();
    await finish(lease, add);
    expect(await ledgerOf().stores.work.finish([attemptRecord(lease)], { workerId: 'w1', now: T0 })).toEqual([]);
    expect(await ledgerOf().row('select state from outcomes')).toEqual({ state: 'succeeded' });
  });
});

describe('a run on a server that has become read-only', () => {
  it('hands its error on and leaves the connection', async () => {
    const lease = await claimOne();
    const dataSource = await ledgerOf().connect({ poolSize: 1, logging: false });
    await dataSource.query('set default_transaction_read_only = on');
    const run = () =>
      ledgerOf()
        .storesOf(dataSource)
        .transactions.run(lease, add, () => NOTHING);
    await expect(run()).rejects.toMatchObject({ code: '25006' });
    await run();
    expect(await points()).toBe(10);
  });
});

describe('a frozen run', () => {
  it('is ended by the server, which frees its row locks for the run that took over', async () => {
    const lease = await claimOne({ leaseMs: 300 });
    let wake = (): void => {};
    const frozen = transactions().run(
      lease,
      async (tx) => {
        await add(tx);
        await new Promise<void>((resolve) => (wake = resolve));
        await add(tx);
      },
      () => NOTHING,
    );
    frozen.catch(() => {});
    await expect
      .poll(() =>
        ledgerOf().row(
          `select count(*)::int as n from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
        ),
      )
      .toEqual({ n: 1 });
    const [again] = (await loseLease(), await ledgerOf().claim({ now: after(31_000) }));
    await transactions().run(
      again!,
      (tx) => add(tx, 1),
      () => NOTHING,
    );
    wake();
    await expect(frozen).rejects.toThrow(TransactionIdleError);
    expect(await points()).toBe(1);
  });

  it('reports a connection that died under its commit as a store that is not available', async () => {
    const lease = await claimOne();
    const run = transactions().run(
      lease,
      async (tx) => {
        const [{ pid }] = await tx.query<[{ pid: number }]>('select pg_backend_pid() as pid');
        await ledgerOf().sql('select pg_terminate_backend($1)', [pid]);
        await expect.poll(() => ledgerOf().sql('select 1 from pg_stat_activity where pid = $1', [pid])).toEqual([]);
      },
      () => NOTHING,
    );
    await expect(run).rejects.toThrow(StoreUnavailableError);
  });
});
