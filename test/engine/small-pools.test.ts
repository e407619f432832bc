import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

describe('A worker with more transactional runs than connections', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  const runAtOnce = async (count: number, poolSize: number, handler: (run: Run) => unknown) => {
    const stores = ledger().storesOf(await ledger().connect({ poolSize }));
    const worker = await startWorker({ job: { transactional: true, handler } }, { stores, concurrency: count });
    const ids = await worker.enqueue('job', ...Array.from({ length: count }, () => ({})));
    return Promise.all(ids.map((id) => worker.ended(id)));
  };

  it.each([3, 4])('keeps all leases in a pool of %i, also of runs that are longer than a lease', async (poolSize) => {
    const ended = await runAtOnce(poolSize, poolSize, (run) => run.manager!.query('select pg_sleep(1.3)'));
    expect(ended).toEqual(ended.map(() => expect.objectContaining({ state: 'succeeded', attempts: 1 })));
  });

  it('renews leases between two transactions in a pool of one, also when they log', async () => {
    const ended = await runAtOnce(4, 1, async (run) => {
      run.log.info('at work');
      await run.manager!.query('select pg_sleep(0.2)');
    });
    expect(ended).toEqual(ended.map(() => expect.objectContaining({ state: 'succeeded', attempts: 1 })));
  });

  it('does not let a transaction inside a transaction wait for the permit of the outer one', async () => {
    const stores = ledger().storesOf(await ledger().connect({ poolSize: 3 }));
    const inner = (run: Run) => run.transaction((tx) => tx.query<unknown[]>('select 1'));
    const worker = await startWorker({ job: (run) => run.transaction(() => inner(run)) }, { stores });
    expect(await worker.run('job')).toMatchObject({ state: 'succeeded' });
  });
});
