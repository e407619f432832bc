import { beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionQuery } from '../../libs/scheduled-jobs/src/core/ports/ledger-reader.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const COUNT = 10_500;
const find = (query: ExecutionQuery, defaultFrom?: Date) => ledgerOf().stores.ledger.find(query, T0, defaultFrom);

/** One second apart, the newest at T0; the oldest one is in a queue of its own. */
beforeEach(async () => {
  await ledgerOf().sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || n, 'job', $1::timestamptz - (${COUNT} - n) * interval '1 second',
         case when n = 1 then 'rare' else 'default' end, 0, 4, 'enqueue', $1
       from generate_series(1, ${COUNT}) n returning id, key),
     k as (insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from e)
     insert into outcomes (execution_id, state, finished_at) select id, 'canceled', $1 from e`,
    [T0],
  );
});

/** All that a query finds, page by page, and how many pages it took. */
async function walk(query: ExecutionQuery, defaultFrom?: Date) {
  const keys: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const page = await find({ ...query, ...(cursor === undefined ? {} : { cursor }) }, defaultFrom);
    keys.push(...page.items.map(({ key }) => key));
    cursor = page.nextCursor;
  }
  return { keys, pages };
}

describe('a search by what no index serves', () => {
  it('walks over a bounded number of executions a page, and finds everything by and by', async () => {
    const first = await find({ queue: 'rare' });
    expect(first.items).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    expect(await walk({ queue: 'rare' })).toEqual({ keys: ['job:1'], pages: 2 });
    expect(await walk({ queue: 'rare', states: ['canceled'] })).toEqual({ keys: ['job:1'], pages: 2 });
    expect(await walk({ job: 'job', trigger: 'schedule' })).toEqual({ keys: [], pages: 2 });
  });

  it('gives full pages where much fits, each execution once', async () => {
    const found = await walk({ queue: 'default', from: after(-400_000), limit: 200 });
    expect(found.keys).toHaveLength(401);
    expect(new Set(found.keys).size).toBe(401);
    expect(found).toMatchObject({ pages: 3 });
  });

  it('begins at a default instant, which belongs to no cursor', async () => {
    const page = await find({ queue: 'default', limit: 2 }, after(-2_000));
    expect(page.items.map(({ key }) => key)).toEqual([`job:${COUNT}`, `job:${COUNT - 1}`]);
    const next = await find({ queue: 'default', limit: 2, cursor: page.nextCursor! }, after(-2_500));
    expect(next).toMatchObject({ items: [{ key: `job:${COUNT - 2}` }], nextCursor: null });
    expect(await walk({ queue: 'rare' }, after(-2_000))).toEqual({ keys: [], pages: 1 });
  });

  it('shows open executions only down to where ended ones are known', async () => {
    await ledgerOf().sql(
      `with gone as (delete from outcomes where execution_id = any (array(
        select id from executions where key in ('job:2', $1))) returning execution_id)
      insert into work (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms)
      select execution_id, 'job', 'default', 0, $2, 'ready', 4, 30000 from gone`,
      [`job:${COUNT}`, T0],
    );
    await ledgerOf().sql(`update executions set queue = 'rare' where key = 'job:2'`);
    expect(await walk({ states: ['pending', 'canceled'], queue: 'rare' })).toEqual({
      keys: ['job:2', 'job:1'],
      pages: 2,
    });
  });
});
