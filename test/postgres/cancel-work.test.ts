import { describe, expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { cancelWorkSql, type CanceledRow } from '../../libs/scheduled-jobs/src/postgres/statements/cancel-work.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const statement = cancelWorkSql(ledgerNames('scheduled_jobs'));
const cancel = async (ids: readonly string[], { now = after(5_000), asks = false } = {}) => {
  const rows = await ledgerOf().dataSource.query<CanceledRow[]>(statement, [ids, now, asks]);
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
};

describe('the cancel of work', () => {
  it('ends what waits, is delayed or ready at once', async () => {
    await ledgerOf().jobs({ name: 'job' });
    const inserted = await ledgerOf().insert({}, { runAt: after(60_000) }, { concurrencyKey: 'k' });
    const ids = inserted.map(({ executionId }) => executionId);
    expect((await cancel(ids)).map(({ id, done }) => [id, done])).toEqual(ids.map((id) => [id, 'canceled']));
    expect(await ledgerOf().sql('select 1 from work')).toEqual([]);
    expect(
      await ledgerOf().sql('select execution_id, state, reason, attempts, finished_at from outcomes order by 1'),
    ).toEqual(
      ids.map((id) => ({ execution_id: id, state: 'canceled', reason: null, attempts: 0, finished_at: after(5_000) })),
    );
  });

  it('keeps what an execution that waits for its retry has behind it', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({ key: 'job:1' });
    const [claimed] = await ledgerOf().claim();
    await ledgerOf().stores.work.finish(
      [attemptRecord(claimed!, { disposition: 'retry', outcome: 'failed', runAt: after(60_000) })],
      { workerId: 'w1', now: after(1_000) },
    );
    await ledgerOf().sql('update work set processed = 3, failed = 1, skipped = 2');
    await cancel([claimed!.executionId]);
    expect(
      await ledgerOf().row(
        'select state, attempts, lost_leases, lease_token, first_started_at, processed, failed, skipped from outcomes',
      ),
    ).toEqual({
      state: 'canceled',
      attempts: 1,
      lost_leases: 0,
      lease_token: claimed!.leaseToken,
      first_started_at: T0,
      processed: '3',
      failed: '1',
      skipped: '2',
    });
  });

  it('tells which slots became free', async () => {
    await ledgerOf().jobs({ name: 'job' });
    const [held, waiting] = await ledgerOf().insert({ concurrencyKey: 'k' }, { concurrencyKey: 'k' });
    await ledgerOf().stores.work.admit(['k']);
    expect(await cancel([held!.executionId, waiting!.executionId])).toEqual([
      { id: held!.executionId, job_name: 'job', done: 'canceled', freed_key: 'k' },
      { id: waiting!.executionId, job_name: 'job', done: 'canceled', freed_key: null },
    ]);
  });

  it('leaves what runs alone, or asks it to stop, the first time being on record', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({});
    const [{ executionId: id } = { executionId: '' }] = await ledgerOf().claim();
    const requested = () => ledgerOf().row('select cancel_requested_at from work');
    expect(await cancel([id])).toEqual([{ id, job_name: 'job', done: 'running', freed_key: null }]);
    expect(await requested()).toEqual({ cancel_requested_at: null });
    expect(await cancel([id], { asks: true })).toEqual([{ id, job_name: 'job', done: 'asked', freed_key: null }]);
    await cancel([id], { asks: true, now: after(9_000) });
    expect(await requested()).toEqual({ cancel_requested_at: after(5_000) });
  });

  it('passes over what has ended, what never was, and what another statement holds', async () => {
    await ledgerOf().jobs({ name: 'job' });
    const [free, held] = await ledgerOf().insert({}, {});
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from work where execution_id = $1 for update', [held!.executionId]);
    const ids = [free!.executionId, held!.executionId, '999999999'];
    expect((await cancel(ids)).map(({ id }) => id)).toEqual([free!.executionId]);
    await client.query('rollback');
    expect((await cancel(ids)).map(({ id }) => id)).toEqual([held!.executionId]);
    expect(await cancel(ids)).toEqual([]);
  });

  it('takes a claim that wins the race for running', async () => {
    await ledgerOf().jobs({ name: 'job' });
    const [{ executionId: id } = { executionId: '' }] = await ledgerOf().insert({});
    for (let round = 0; round < 40; round += 1) {
      await ledgerOf().sql(`delete from outcomes`);
      await ledgerOf().sql(
        `insert into work (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms)
         values ($1, 'job', 'default', 0, $2, 'ready', 4, 30000) on conflict do nothing`,
        [id, T0],
      );
      const [claimed, canceled] = await Promise.all([ledgerOf().claim(), cancel([id])]);
      const state = [claimed.length, canceled.map(({ done }) => done).join()];
      expect([
        [1, 'running'],
        [1, ''],
        [0, 'canceled'],
      ]).toContainEqual(state);
      await ledgerOf().sql('delete from work');
    }
    await ledgerOf().sql('truncate executions, keys, outcomes');
  });
});
