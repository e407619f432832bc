import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidQueryError } from '../../libs/scheduled-jobs/src/core/errors.js';
import type { Backfill, BackfillQuery } from '../../libs/scheduled-jobs/src/core/ports/backfill-store.js';
import { backfill } from '../support/backfills.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const backfills = () => ledgerOf().stores.backfills;
const hourly = scheduledJob('0 * * * *', { name: 'hourly', timeZone: 'UTC' });
const daily = scheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC' });
const operator = { actor: 'ann', reason: 'a test', now: null };

beforeEach(() => ledgerOf().sql('alter sequence backfills_id_seq restart'));

const register = () => ledgerOf().stores.schedules.register([hourly, daily], T0);
const day = (number: number) => ({
  from: new Date(Date.UTC(2026, 0, number)),
  to: new Date(Date.UTC(2026, 0, number, 23)),
});
const ids = (items: readonly Backfill[]) => items.map(({ backfillId }) => Number(backfillId));

/** All pages: how many backfills each one has, and which there are. */
async function walk(query: BackfillQuery): Promise<{ readonly sizes: readonly number[]; readonly found: number[] }> {
  const sizes: number[] = [];
  const found: number[] = [];
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const page = await backfills().list({ ...query, ...(cursor === null ? {} : { cursor }) });
    sizes.push(page.items.length);
    found.push(...ids(page.items));
    cursor = page.nextCursor;
  }
  return { sizes, found };
}

/** Ends all that waits. */
const endAll = async () => {
  const work = await ledgerOf().sql<{ id: string }>('delete from work returning execution_id::text as id');
  const ended = work.map(({ id }) => id);
  await ledgerOf().sql(
    `insert into outcomes (execution_id, state, finished_at) select unnest($1::bigint[]), 'succeeded', now()`,
    [ended],
  );
};

describe('the list of backfills', () => {
  it('has the newest first, in pages that stay as they are while others are made', async () => {
    await register();
    for (const number of [1, 2, 3, 4, 5]) await backfill(ledgerOf(), daily, day(number));
    const first = await backfills().list({ limit: 2 });
    expect(ids(first.items)).toEqual([5, 4]);
    expect(first.items[0]).toEqual(await backfills().find('5'));
    await backfill(ledgerOf(), daily, day(6));
    const second = await backfills().list({ limit: 2, cursor: first.nextCursor! });
    expect(ids(second.items)).toEqual([3, 2]);
    expect((await walk({ limit: 2 })).sizes).toEqual([2, 2, 2]);
  });

  it('lists those of one job, and those in one state', async () => {
    await register();
    await backfill(ledgerOf(), daily, day(1));
    await endAll();
    await backfill(ledgerOf(), hourly, day(1));
    await backfill(ledgerOf(), daily, day(2));
    await backfills().cancel('3', operator);
    await backfill(ledgerOf(), daily, day(2));
    const of = async (query: BackfillQuery) => ids((await backfills().list(query)).items);
    expect(await of({})).toEqual([4, 3, 2, 1]);
    expect(await of({ job: 'daily' })).toEqual([4, 3, 1]);
    expect(await of({ state: 'open' })).toEqual([2]);
    expect(await of({ state: 'done' })).toEqual([4, 1]);
    expect(await of({ state: 'canceled' })).toEqual([3]);
    expect(await of({ state: 'open', job: 'daily' })).toEqual([]);
    expect((await backfills().list({ state: 'open' })).items[0]).toMatchObject({
      jobName: 'hourly',
      states: { pending: 24 },
      state: 'open',
    });
  });

  it('goes on to the next page when those in a state are many, or far back', async () => {
    await register();
    for (const number of [1, 2, 3]) await backfill(ledgerOf(), daily, day(number));
    expect(await walk({ state: 'open', limit: 1 })).toEqual({ sizes: [1, 1, 1], found: [3, 2, 1] });
    await ledgerOf().sql(
      `insert into backfills (job_name, from_at, to_at, direction, occurrences, inserted, existing, pruned, created_at)
       select 'daily', now(), now(), 'oldest-first', 0, 0, 0, 0, now() from generate_series(1, 200)`,
    );
    expect(await walk({ state: 'open' })).toEqual({ sizes: [0, 3], found: [3, 2, 1] });
  });

  it('ends a page before it counts more than 100,000 executions, and passes none over', async () => {
    await register();
    for (const number of [1, 2, 3, 4]) await backfill(ledgerOf(), daily, day(number));
    await ledgerOf().sql('update backfills set inserted = case id when 3 then 100000 else 60000 end');
    expect(await walk({})).toEqual({ sizes: [1, 1, 1, 1], found: [4, 3, 2, 1] });
    expect(await walk({ state: 'open' })).toEqual({ sizes: [1, 1, 1, 1], found: [4, 3, 2, 1] });
  });

  it.each<[object, RegExp]>([
    [{ state: 'running' }, /state must be one of "open", "done", "canceled"/],
    [{ job: '' }, /job must be a text/],
    [{ limit: 201 }, /limit must be a whole number from 1 to 200/],
    [{ cursor: 'x' }, /cursor is not one of a page/],
    [{ jobs: 'daily' }, /jobs .*Did you mean "job"/],
  ])('refuses %j', async (query, message) => {
    const refusal = backfills().list(query);
    await expect(refusal).rejects.toThrow(InvalidQueryError);
    await expect(refusal).rejects.toThrow(message);
  });
});
