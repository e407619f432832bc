import { describe, expect, it } from 'vitest';
import type { WorkStore } from '../../libs/scheduled-jobs/src/core/ports/work-store.js';
import { gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { useWorkers } from '../support/test-workers.js';

/** Promises a hint and never gives one: every notification is lost. */
const silent = { start: () => undefined, stop: () => Promise.resolve() };

describe('A worker that no hint reaches', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  it('finds work by polling alone', async () => {
    const looked = gate();
    const { stores } = ledger();
    const work = Object.create(stores.work, {
      look: {
        value: async (...args: Parameters<WorkStore['look']>) => {
          const outlook = await stores.work.look(...args);
          looked.open();
          return outlook;
        },
      },
    }) as WorkStore;
    const worker = await startWorker({ job: () => 'done' }, { stores: { ...stores, work, wakeUp: silent } });
    await looked.passed;
    const [id] = await worker.enqueue('job');
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', result: 'done' });
  });
});
