import { describe, expect, it } from 'vitest';
import { advisoryLock } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const admit = (keys: string[] | null) => ledgerOf().stores.work.admit(keys);
const admitted = async () =>
  (
    await ledgerOf().sql<{ key: string }>(
      'select e.key from work w join executions e on e.id = w.execution_id where w.slot is not null order by e.id',
    )
  ).map(({ key }) => key);

describe('admit', () => {
  it('gives a key no more slots than its job allows, next by priority, run time and id', async () => {
    await ledgerOf().jobs({ name: 'job', concurrency: 3 });
    await ledgerOf().insert(
      { key: 'job:4', concurrencyKey: 'k', scheduledFor: T0 },
      { key: 'job:3', concurrencyKey: 'k', scheduledFor: after(-5) },
      { key: 'job:2', concurrencyKey: 'k', scheduledFor: after(-10) },
      { key: 'job:1', concurrencyKey: 'k', scheduledFor: T0, priority: -1 },
    );
    expect(await admit(['k'])).toBe(3);
    expect(await admit(['k'])).toBe(0);
    expect((await ledgerOf().claim()).map(({ key }) => key)).toEqual(['job:1', 'job:2', 'job:3']);
  });

  it('gives the slots that are free, not those in use', async () => {
    await ledgerOf().jobs({ name: 'job', concurrency: 2 });
    await ledgerOf().insert(...[1, 2, 3].map((n) => ({ key: `job:${n}`, concurrencyKey: 'k' })));
    await admit(['k']);
    const [first] = await ledgerOf().claim({ take: 1 });
    await ledgerOf().stores.work.finish([attemptRecord(first!)], { workerId: 'w1', now: T0 });
    expect(await admit(['k'])).toBe(1);
    expect(await ledgerOf().sql('select slot from work order by slot')).toEqual([{ slot: 1 }, { slot: 2 }]);
  });

  it('counts the smallest concurrency among the jobs that wait or hold under a key', async () => {
    await ledgerOf().jobs(
      { name: 'wide', concurrency: 5 },
      { name: 'narrow', concurrency: 2 },
      { name: 'elsewhere', concurrency: 1 },
    );
    await ledgerOf().insert(
      ...[1, 2, 3].map((n) => ({ key: `wide:${n}`, jobName: 'wide', concurrencyKey: 'k' })),
      { key: 'narrow:1', jobName: 'narrow', concurrencyKey: 'k' },
      { key: 'elsewhere:1', jobName: 'elsewhere', concurrencyKey: 'other' },
    );
    expect(await admit(['k'])).toBe(2);
    expect(await admitted()).toEqual(['wide:1', 'wide:2']);
  });

  it('acts on a raised concurrency at once and drains under a lowered one', async () => {
    await ledgerOf().jobs({ name: 'job', concurrency: 3 });
    await ledgerOf().insert(...[1, 2, 3, 4, 5, 6].map((n) => ({ key: `job:${n}`, concurrencyKey: 'k' })));
    await admit(['k']);
    await ledgerOf().sql('update jobs set concurrency = 4');
    expect(await admit(['k'])).toBe(1);
    await ledgerOf().sql('update jobs set concurrency = 3');
    const claimed = await ledgerOf().claim();
    await ledgerOf().stores.work.finish([attemptRecord(claimed[0]!)], { workerId: 'w1', now: T0 });
    expect(await admit(['k'])).toBe(0);
    await ledgerOf().stores.work.finish([attemptRecord(claimed[1]!)], { workerId: 'w1', now: T0 });
    expect(await admit(['k'])).toBe(1);
  });

  it('walks over all keys, more than one page of them', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert(...Array.from({ length: 1_203 }, (_, n) => ({ concurrencyKey: `k${n % 1_201}` })));
    expect(await admit(null)).toBe(1_201);
    expect(await admit(null)).toBe(0);
    expect(await ledgerOf().row(`select count(*)::int as n from work where phase = 'waiting'`)).toEqual({ n: 2 });
  });

  it('finds nothing where nothing waits, and does nothing for no keys', async () => {
    expect(await admit(null)).toBe(0);
    expect(await admit([])).toBe(0);
    expect(await admit(['unknown'])).toBe(0);
  });

  it('leaves the walk to whoever is walking, and waits its turn for given keys', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({ concurrencyKey: 'k' });
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [...advisoryLock('scheduled_jobs', 'admit')]);
    expect(await admit(null)).toBe(0);
    const waiting = admit(['k']);
    await expect.poll(() => ledgerOf().lockWaits('advisory')).toBe(1);
    await client.query('commit');
    expect(await waiting).toBe(1);
  });
});
