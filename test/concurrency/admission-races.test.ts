import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();

const broken = () =>
  ledgerOf().sql(
    `select concurrency_key, count(*)::int as slots from work where slot is not null group by 1
     having count(*) > (select concurrency from jobs where name = 'job')`,
  );

describe('admit', () => {
  it('never gives more slots than allowed to eight admitters, while workers claim and finish', async () => {
    await ledgerOf().jobs({ name: 'job', concurrency: 3 });
    const dataSource = await ledgerOf().connect({ applicationName: 'admitters' });
    const { work: store } = ledgerOf().storesOf(dataSource);
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    await ledgerOf().insert(...Array.from({ length: 600 }, (_, n) => ({ concurrencyKey: keys[n % keys.length]! })));
    let ended = 0;
    const breaches: unknown[] = [];
    const work = async (workerId: string, walks: boolean) => {
      const context = { workerId, now: T0 };
      while (ended < 600) {
        await store.admit(walks ? null : keys);
        breaches.push(...(await broken()));
        const claimed = await store.claim({
          ...context,
          quotas: [{ queue: 'default', take: 10, start: 10 }],
          jobNames: ['job'],
        });
        const finished = await store.finish(
          claimed.map((one) => attemptRecord(one)),
          context,
        );
        ended += finished.length;
        await store.admit([...new Set(finished.flatMap(({ freedKey }) => freedKey ?? []))]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => work(`w${n}`, n % 2 === 0)));
    expect(breaches).toEqual([]);
    expect(ended).toBe(600);
    expect(await ledgerOf().row('select count(*)::int as n from work')).toEqual({ n: 0 });
    // Sessions tell the server of their deadlocks at their end at the latest.
    await dataSource.destroy();
    await expect
      .poll(() => ledgerOf().sql(`select 1 from pg_stat_activity where application_name = 'admitters'`))
      .toEqual([]);
    expect(await ledgerOf().row('select deadlocks from pg_stat_database where datname = current_database()')).toEqual({
      deadlocks: '0',
    });
  });

  it('is proven by the index alone: a second holder of a slot is refused', async () => {
    await ledgerOf().jobs({ name: 'job', concurrency: 2 });
    await ledgerOf().insert({ concurrencyKey: 'k' }, { concurrencyKey: 'k' });
    await ledgerOf().stores.work.admit(['k']);
    await expect(ledgerOf().sql('update work set slot = 1')).rejects.toMatchObject({ constraint: 'work_slot' });
  });
});
