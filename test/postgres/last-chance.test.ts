import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { T0 } from '../support/ledger.js';

const ledgerOf = useLedger();

const claim = (take: number, start: number, limits: { lastChance?: boolean; leftOut?: readonly string[] } = {}) =>
  ledgerOf().stores.work.claim({
    workerId: 'w1',
    quotas: [{ queue: 'default', take, start }],
    jobNames: ['job'],
    now: T0,
    ...limits,
  });
const idsOf = (claimed: readonly { readonly executionId: string }[]) => claimed.map(({ executionId }) => executionId);

/** Executions in the order in which they are claimed; the ones at these places have lost two leases in a row. */
async function insertWithLosses(count: number, places: readonly number[]): Promise<readonly string[]> {
  const inserted = await ledgerOf().insert(...Array.from({ length: count }, () => ({})));
  const ids = inserted.map(({ executionId }) => executionId);
  const lost = places.map((place) => ids[place]);
  await ledgerOf().sql('update work set losses_in_row = 2 where execution_id = any ($1)', [lost]);
  return ids;
}

describe('An execution that ends with the next lost lease', () => {
  it('is claimed only where it starts at once, and is told', async () => {
    const ids = await insertWithLosses(3, [1]);
    const claimed = await claim(3, 1);
    expect(idsOf(claimed)).toEqual([ids[0], ids[2]]);
    const [last] = await claim(3, 1);
    expect(last).toMatchObject({ executionId: ids[1], isLastChance: true });
    expect(await ledgerOf().row('select started_at from work where execution_id = $1', [ids[1]])).toEqual({
      started_at: T0,
    });
  });

  it('is never claimed ahead, into no free slot at all', async () => {
    const ids = await insertWithLosses(3, [0, 2]);
    expect(idsOf(await claim(3, 0))).toEqual([ids[1]]);
  });

  it('is claimed one at a time: none of them stands beside what may kill the worker', async () => {
    const ids = await insertWithLosses(4, [0, 1, 3]);
    expect(idsOf(await claim(4, 4))).toEqual([ids[0], ids[2]]);
    expect(idsOf(await claim(4, 4, { lastChance: false }))).toEqual([]);
    expect(idsOf(await claim(4, 4))).toEqual([ids[1]]);
  });

  it('holds up nothing that comes behind it', async () => {
    const ids = await insertWithLosses(4, [0, 1, 2]);
    expect(idsOf(await claim(1, 1, { lastChance: false }))).toEqual([ids[3]]);
  });

  it('is one at a time over all queues', async () => {
    await ledgerOf().insert({ queue: 'a' }, { queue: 'b' });
    await ledgerOf().sql('update work set losses_in_row = 2');
    const quotas = ['a', 'b'].map((queue) => ({ queue, take: 2, start: 2 }));
    const request = { workerId: 'w1', quotas, jobNames: ['job'], now: T0 };
    expect(await ledgerOf().stores.work.claim(request)).toMatchObject([{ queue: 'a' }]);
  });
});

describe('A claim', () => {
  it('leaves out the executions whose handlers go on', async () => {
    const ids = await insertWithLosses(3, []);
    expect(idsOf(await claim(3, 3, { leftOut: [ids[1]!] }))).toEqual([ids[0], ids[2]]);
    expect(idsOf(await claim(3, 3, { leftOut: [] }))).toEqual([ids[1]]);
  });
});
