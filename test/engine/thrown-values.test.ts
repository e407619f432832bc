import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const trap = (): never => {
  throw new Error('trap');
};
const revoked = <T extends object>(target: T): T => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

/** Values that do not want to be looked at. Made anew for each throw. */
const FIGHTING: Readonly<Record<string, () => unknown>> = {
  'an error with getters that throw': () =>
    Object.defineProperties(
      new Error('x'),
      Object.fromEntries(
        ['message', 'stack', 'name', 'cause', 'code', 'status', 'errors'].map((name) => [name, { get: trap }]),
      ),
    ),
  'a proxy that refuses everything': () =>
    new Proxy(new Error('x'), { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap }),
  'a revoked proxy': () => revoked(new Error('x')),
  'a revoked function': () => revoked(() => 1),
  'an error whose cause is a revoked proxy': () => new Error('x', { cause: revoked({}) }),
  'parts that are a revoked proxy': () => Object.assign(new Error('x'), { errors: revoked([]) }),
};

describe('A handler that throws what does not want to be read', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  const names = Object.keys(FIGHTING);
  const fight = (run: Run): never => {
    throw FIGHTING[run.payload as string]!();
  };
  const walk = (run: Run) =>
    run.items<number>(
      { name: 'one', source: async (after) => (after === null ? [1] : []), key: (item) => item, onError: 'skip' },
      async () => fight(run),
    );

  const started = async (job: object, readPayload: (payload: unknown) => unknown = (payload) => payload) => {
    const jobs = { job: { ...job, retry: { maxAttempts: 1 } } as never, other: () => 'done' };
    return startWorker(jobs, { readPayload: ({ name }, payload) => (name === 'job' ? readPayload(payload) : payload) });
  };
  const expectFailures = async (worker: Awaited<ReturnType<typeof started>>) => {
    const ids = await worker.enqueue('job', ...names.map((name) => ({ payload: JSON.stringify(name) })));
    for (const [at, id] of ids.entries()) {
      expect(await worker.ended(id), names[at]).toMatchObject({ state: 'failed', attempts: 1 });
      expect((await worker.attempts(id))[0]?.error_message, names[at]).toMatch(/./);
    }
    expect(await worker.run('other')).toMatchObject({ state: 'succeeded' });
    const open = `select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`;
    expect(await ledger().sql(open)).toEqual([]);
  };

  it.each([
    ['by itself', { handler: fight }],
    ['in a transaction of the run', { handler: (run: Run) => run.transaction(async () => fight(run)) }],
    ['as a transactional job', { handler: fight, transactional: true }],
  ])('%s fails with a text, and the worker goes on', async (_, job) => {
    await expectFailures(await started(job));
  });

  it('for its payload fails as one that does not fit', async () => {
    await expectFailures(await started({ handler: () => undefined }, (payload) => fight({ payload } as Run)));
    expect(await ledger().sql(`select distinct error_code, error_kind from outcomes where state = 'failed'`)).toEqual([
      { error_code: 'JOBS_PAYLOAD_INVALID', error_kind: 'permanent' },
    ]);
  });

  it('for an item records the item and goes on', async () => {
    const worker = await startWorker({ job: walk });
    const ids = await worker.enqueue('job', ...names.map((name) => ({ payload: JSON.stringify(name) })));
    for (const [at, id] of ids.entries()) {
      expect(await worker.ended(id), names[at]).toMatchObject({ state: 'completed_with_errors' });
    }
    const items = await ledger().sql<{ error_message: string }>('select error_message from items');
    expect(items).toHaveLength(names.length);
    for (const { error_message: message } of items) expect(message).toMatch(/./);
  });
});
