import type { EntityManager } from 'typeorm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

interface Account {
  readonly id: number;
}
type Fails = (id: number) => unknown;

const ACCOUNTS = 25;
const ledger = useLedger();
const startWorker = useWorkers(ledger);
beforeAll(() => createBusinessTables(ledger()));
beforeEach(() => resetBusinessTables(ledger(), ACCOUNTS));

const load = (keys: readonly unknown[], tx: EntityManager): Promise<Account[]> =>
  tx.query('select id from public.accounts where id = any ($1) order by id desc', [keys]);

/** Ten points to each account; `handed` hears which ones a chunk has. */
const payAll = (run: Run, options: object, fails: Fails = () => false, handed: number[][] = []) =>
  run.items<Account>(
    {
      name: 'accounts',
      size: 10,
      key: ({ id }) => id,
      source: (after, size, tx) =>
        tx.query('select id from public.accounts where id > $1 order by id limit $2', [after ?? 0, size]),
      ...options,
    },
    async (accounts, tx) => {
      const ids = accounts.map(({ id }) => id);
      handed.push(ids);
      const failing = ids.find((id) => fails(id) === true);
      if (failing !== undefined) throw new Error(`account ${failing} is closed`);
      await tx.query('update public.accounts set balance = balance + 10 where id = any ($1)', [ids]);
    },
  );
const balances = async (): Promise<Record<number, number>> =>
  Object.fromEntries(
    (await ledger().sql<{ id: number; balance: number }>('select id, balance from public.accounts')).map(
      ({ id, balance }) => [id, balance],
    ),
  );
const paidOnce = (ids: readonly number[]) => Object.fromEntries(ids.map((id) => [id, 10]));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const left = () => ledger().row('select count(*)::int as n from frozen_items');
const countsOf = (id: string) =>
  ledger().row('select processed, failed, skipped from outcomes where execution_id = $1', [id]);
const failedKeys = async (id: string) =>
  (
    await ledger().sql<{ key: string }>('select item_key as key from items where execution_id = $1 order by 1', [id])
  ).map(({ key }) => key);
const replay = (id: string) =>
  ledger().stores.replays.replay(id, { actor: 'ann', reason: 'fixed', now: null, force: false, corrected: null });

describe('A frozen set of items', () => {
  it('is what the source gave when the first attempt began, whatever becomes of the source', async () => {
    const handed: number[][] = [];
    const worker = await startWorker({
      job: (run) =>
        payAll(run, { frozen: true, load }, (id) => run.attempt === 1 && id > 10, handed).catch(
          async (error: unknown) => {
            // Between the attempts an account goes, and others come.
            await ledger().sql('delete from public.accounts where id in (5, 20)');
            await ledger().sql('insert into public.accounts (id) values (0), (26)');
            throw error;
          },
        ),
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2, result: { processed: 14, failed: 0, skipped: 1 } });
    expect(handed).toEqual([range(1, 10), range(11, 20), [11], [11, 12, 13, 14, 15, 16, 17, 18, 19], range(21, 25)]);
    const expected = range(1, 25).filter((account) => account !== 5 && account !== 20);
    expect(await balances()).toEqual({ ...paidOnce(expected), 0: 0, 26: 0 });
    expect(await countsOf(id)).toEqual({ processed: '24', failed: null, skipped: '1' });
    expect(await left()).toEqual({ n: 0 });
  });

  it('read live, the same set has what the source gives at each chunk', async () => {
    const worker = await startWorker({
      job: (run) =>
        payAll(run, {}, (id) => id === 20 && run.attempt === 1).catch(async (error: unknown) => {
          await ledger().sql('insert into public.accounts (id) values (26)');
          throw error;
        }),
    });
    expect(await worker.run('job')).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(await balances()).toEqual(paidOnce(range(1, 26)));
  });

  it('is stored page by page, and an attempt that dies in between is gone on with', async () => {
    await ledger().sql('insert into public.accounts (id) select generate_series(26, 2500)');
    const asked: unknown[] = [];
    const worker = await startWorker({
      job: (run) =>
        payAll(run, {
          frozen: true,
          load,
          size: 1_000,
          source: async (after: number | null, size: number, tx: EntityManager) => {
            asked.push(after);
            if (after === 2_000 && run.attempt === 1) throw new Error('the source is away');
            return tx.query('select id from public.accounts where id > $1 order by id limit $2', [after ?? 0, size]);
          },
        }),
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(asked).toEqual([null, 1_000, 2_000, 2_000, 2_500]);
    expect(await balances()).toEqual(paidOnce(range(1, 2_500)));
    expect(await countsOf(id)).toMatchObject({ processed: '2500' });
  });

  it('is still frozen when the code reads it live by now, and the reverse', async () => {
    const frozenFirst = (run: Run) => ({ frozen: run.attempt === 1, load });
    const liveFirst = (run: Run) => ({ frozen: run.attempt > 1, load });
    const change = async (run: Run, options: object) =>
      payAll(run, options, (id) => id === 11 && run.attempt === 1).catch(async (error: unknown) => {
        await ledger().sql('insert into public.accounts (id) values (26) on conflict do nothing');
        throw error;
      });
    const worker = await startWorker({
      frozen: (run) => change(run, frozenFirst(run)),
      live: (run) => change(run, liveFirst(run)),
      without: (run) => change(run, run.attempt === 1 ? { frozen: true, load } : {}),
    });
    expect(await countsOf((await worker.run('frozen')).id)).toMatchObject({ processed: '25' });
    expect(await countsOf((await worker.run('live')).id)).toMatchObject({ processed: '26' });
    const { id, ...without } = await worker.run('without');
    expect(without).toMatchObject({ state: 'failed', error_code: 'JOBS_PERMANENT' });
    expect((await worker.attempts(id)).at(-1)?.error_message).toContain('give "load" until it has ended');
  });

  it('records the items that fail by themselves, and keeps the type of its keys', async () => {
    const keys: unknown[] = [];
    const worker = await startWorker({
      job: (run) =>
        payAll(
          run,
          {
            frozen: true,
            onError: 'skip',
            load: (asked: readonly unknown[], tx: EntityManager) => {
              keys.push(...asked);
              return load(
                asked.filter((key) => key !== 8),
                tx,
              );
            },
          },
          (id) => id === 7,
        ),
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'completed_with_errors', result: { processed: 23, failed: 1, skipped: 1 } });
    expect(await failedKeys(id)).toEqual(['7']);
    expect(new Set(keys.map((key) => typeof key))).toEqual(new Set(['number']));
    expect(await left()).toEqual({ n: 0 });
  });

  it.each([
    ['has more than it may', { name: 'huge' }, /more than 1000000 items/],
    ['is loaded with an item that was not asked for', { load: async () => [{ id: 99 }] }, /which was not asked for/],
    ['is loaded with no list', { load: async () => null }, /must give a list/],
  ])('ends the execution when it %s', async (_, options, text) => {
    const worker = await startWorker({
      job: async (run) => {
        await ledger().sql(`insert into frozen_items values ($1, 'huge', 999990, 'x', false)`, [run.executionId]);
        await payAll(run, { frozen: true, load, ...options });
      },
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, error_code: 'JOBS_PERMANENT' });
    expect((await worker.attempts(id))[0]?.error_message).toMatch(text);
  });

  it('needs "load"', async () => {
    const worker = await startWorker({
      job: { retry: { maxAttempts: 1 }, handler: (run: Run) => payAll(run, { frozen: true }) },
    });
    const { id } = await worker.run('job');
    expect((await worker.attempts(id))[0]?.error_message).toContain('run.items.load is required');
  });
});

describe('A replay of an execution that completed with errors', () => {
  const closed = new Set<number>();
  beforeEach(() => {
    closed.clear();
    for (const id of [3, 7, 14, 25]) closed.add(id);
  });
  const worked = async (options: object) => {
    const handed: number[][] = [];
    const worker = await startWorker({
      job: (run) => payAll(run, { onError: 'skip', ...options }, (id) => closed.has(id), handed),
    });
    const { id, state } = await worker.run('job');
    expect(state).toBe('completed_with_errors');
    handed.length = 0;
    const replayed = async () => {
      await replay(id);
      const ended = await worker.ended(id);
      return [ended, handed.splice(0)] as const;
    };
    return { id, worker, replayed };
  };

  it.each([
    ['of a live set', { load }],
    ['of a frozen set', { frozen: true, load }],
  ])('hands on only the items that failed, and ends as they end now: %s', async (_, options) => {
    const { id, replayed, worker } = await worked(options);
    expect(await countsOf(id)).toEqual({ processed: '21', failed: '4', skipped: null });
    closed.delete(3);
    closed.delete(25);
    const [ended, handed] = await replayed();
    expect(ended).toMatchObject({ state: 'completed_with_errors', result: { processed: 2, failed: 2, skipped: 0 } });
    expect(handed).toEqual([[14, 25, 3, 7], [14], [25], [3], [7]]);
    expect(await failedKeys(id)).toEqual(['14', '7']);
    expect(await countsOf(id)).toEqual({ processed: '23', failed: '2', skipped: null });

    closed.clear();
    expect((await replayed())[0]).toMatchObject({
      state: 'succeeded',
      result: { processed: 2, failed: 0, skipped: 0 },
    });
    expect(await balances()).toEqual(paidOnce(range(1, ACCOUNTS)));
    expect([await failedKeys(id), await countsOf(id)]).toEqual([[], { processed: '25', failed: null, skipped: null }]);
    expect(
      await ledger().sql('select processed, failed from attempts where execution_id = $1 order by lease_token', [id]),
    ).toEqual([
      { processed: '21', failed: '4' },
      { processed: '2', failed: '2' },
      { processed: '2', failed: null },
    ]);
    expect(await worker.attempts(id)).toHaveLength(3);
  });

  it('reads the source again where nothing loads by key, and hands on only what failed', async () => {
    const { id, replayed } = await worked({});
    await ledger().sql('delete from public.accounts where id = 14');
    await ledger().sql('insert into public.accounts (id) values (26)');
    closed.delete(3);
    const [ended, handed] = await replayed();
    expect(ended).toMatchObject({ state: 'completed_with_errors', result: { processed: 1, failed: 2, skipped: 1 } });
    expect(handed).toEqual([[3, 7], [3], [7], [25]]);
    expect(await failedKeys(id)).toEqual(['25', '7']);
    expect(await countsOf(id)).toEqual({ processed: '22', failed: '2', skipped: '1' });
    expect(await balances()).toEqual({ ...paidOnce(range(1, 26).filter((n) => n !== 14)), 7: 0, 25: 0, 26: 0 });
  });

  it('counts an item that is gone as skipped', async () => {
    const { id, replayed } = await worked({ load });
    await ledger().sql('delete from public.accounts where id in (3, 7, 14)');
    const [ended, handed] = await replayed();
    expect(ended).toMatchObject({ state: 'completed_with_errors', result: { processed: 0, failed: 1, skipped: 3 } });
    expect(handed).toEqual([[25]]);
    expect([await failedKeys(id), await countsOf(id)]).toEqual([
      ['25'],
      { processed: '21', failed: '1', skipped: '3' },
    ]);
  });

  it('goes on where an attempt of it stopped, and tries nothing twice that failed again', async () => {
    const handed: number[][] = [];
    const worker = await startWorker({
      job: async (run) => {
        const replayed = run.attempt > 1;
        const counts = await payAll(
          run,
          { onError: 'skip', size: 1, load },
          (id) => closed.has(id),
          replayed ? handed : [],
        );
        if (run.attempt === 2) throw new Error('worker trouble');
        return counts;
      },
    });
    const { id } = await worker.run('job');
    closed.delete(25);
    await replay(id);
    expect(await worker.ended(id)).toMatchObject({
      state: 'completed_with_errors',
      result: { processed: 0, failed: 0 },
    });
    expect(handed).toEqual([[14], [25], [3], [7]]);
    expect([await failedKeys(id), await countsOf(id)]).toEqual([
      ['14', '3', '7'],
      { processed: '22', failed: '3', skipped: null },
    ]);
  });
});
