import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { currentRun } from '../../libs/scheduled-jobs/src/engine/current-run.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import type { Run } from '../support/test-worker.js';
import { useWorkers } from '../support/test-workers.js';

const ACCOUNTS = 25;

describe('What a handler gets', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), ACCOUNTS));

  const balances = async () =>
    (await ledger().sql<{ balance: number }>('select balance from public.accounts order by id')).map(
      ({ balance }) => balance,
    );
  const payAll = (run: Run, fails: (id: number) => void = () => undefined, options: object = {}) =>
    run.items<{ id: number }>(
      {
        name: 'accounts',
        size: 10,
        key: ({ id }) => id,
        source: (after, size, tx) =>
          tx.query('select id from public.accounts where id > $1 order by id limit $2', [after ?? 0, size]),
        ...options,
      },
      async (accounts, tx) => {
        for (const { id } of accounts) {
          fails(id);
          await tx.query('update public.accounts set balance = balance + 10 where id = $1', [id]);
        }
      },
    );

  it('is the execution as it was claimed', async () => {
    let seen: Partial<Run> = {};
    const worker = await startWorker({
      job: (run) => {
        const { executionId, key, jobName, period, interval, scheduledFor, attempt, payload, trigger } = run;
        seen = { executionId, key, jobName, period, interval, scheduledFor, attempt, payload, trigger };
        return [run.leaseToken, run.idempotencyKey, run.manager === undefined, run.signal.aborted];
      },
    });
    const [start, end] = [new Date('2026-08-13T00:00:00Z'), new Date('2026-08-14T00:00:00Z')];
    const parts = { key: 'job:p', period: 'p', interval: { start, end }, scheduledFor: end, payload: '[1]' };
    const { id, result } = await worker.run('job', parts);
    const { key, period, interval, scheduledFor } = parts;
    const jobName = 'job';
    expect(seen).toEqual({
      executionId: id,
      key,
      jobName,
      period,
      interval,
      scheduledFor,
      attempt: 1,
      payload: [1],
      trigger: 'enqueue',
    });
    expect(result).toEqual([expect.stringMatching(/^\d+$/), 'job:p', true, false]);
  });

  it('is its own in each of two executions that run side by side', async () => {
    const both = gate();
    let waiting = 0;
    const deep = async () => {
      if (++waiting === 2) both.open();
      await both.passed;
      return currentRun()?.key;
    };
    const worker = await startWorker({ job: () => deep() });
    const ids = await worker.enqueue('job', { key: 'job:a' }, { key: 'job:b' });
    expect((await Promise.all(ids.map((id) => worker.ended(id)))).map(({ result }) => result)).toEqual([
      'job:a',
      'job:b',
    ]);
    expect(currentRun()).toBeUndefined();
  });

  it('keeps the log with the execution, redacted, all lines before the end', async () => {
    const worker = await startWorker({
      job: async ({ log, transaction }) => {
        log.info('began', { password: 'hunter2', rows: 3 });
        await transaction((tx) => tx.query('select 1'));
        for (let count = 0; count < 300; count++) log.debug(`line ${count}`);
        await transaction((tx) => tx.query('select 1'));
        log.error('ended');
      },
    });
    const { id } = await worker.run('job');
    const lines = await ledger().sql(
      'select line_no, level, message, fields from logs where execution_id = $1 order by line_no',
      [id],
    );
    expect(lines).toHaveLength(302);
    expect(lines[0]).toEqual({
      line_no: 1,
      level: 'info',
      message: 'began',
      fields: { password: '[redacted]', rows: 3 },
    });
    expect(lines[301]).toMatchObject({ line_no: 302, level: 'error', message: 'ended' });
  });

  it('shows stage and percent while it runs, without secrets', async () => {
    const end = gate();
    const worker = await startWorker({
      job: async ({ progress }) => {
        progress({ stage: 'rendering for password=hunter2', percent: 40.004 });
        await end.passed;
      },
    });
    const [id] = await worker.enqueue('job');
    const shown = await eventually(
      async () => (await ledger().sql('select stage, percent from work where stage is not null'))[0],
    );
    expect(shown).toEqual({ stage: 'rendering for password=[redacted]', percent: 40 });
    end.open();
    await worker.ended(id!);
  });

  it('shows a percentage that is almost nothing as none', async () => {
    const end = gate();
    const worker = await startWorker({
      job: async (run) => {
        run.progress({ percent: 1e-320 });
        await end.passed;
      },
    });
    const [id] = await worker.enqueue('job');
    const shown = await eventually(
      async () => (await ledger().sql('select percent from work where percent is not null'))[0],
    );
    expect(shown).toEqual({ percent: 0 });
    end.open();
    await worker.ended(id!);
  });

  it('refuses to walk items of one name twice at once, and walks them one after the other', async () => {
    const worker = await startWorker({
      twice: (run) => Promise.all([payAll(run), payAll(run)]),
      again: async (run) => [await payAll(run), await payAll(run)],
    });
    const { id, ...twice } = await worker.run('twice');
    expect(twice).toMatchObject({ state: 'failed', error_code: 'JOBS_PERMANENT' });
    expect((await worker.attempts(id))[0]?.error_message).toContain('"accounts" are walked already');
    expect(await worker.run('again')).toMatchObject({ state: 'succeeded' });
  });

  it('commits counts of a transaction with it, and drops those of one that rolls back', async () => {
    const worker = await startWorker({
      job: async (run) => {
        run.count({ processed: 1 });
        await run.transaction(async () => run.count({ processed: 10, skipped: 1 }));
        await run
          .transaction(async () => {
            run.count({ failed: 100 });
            throw new Error('back');
          })
          .catch(() => undefined);
        if (run.attempt === 1) throw new Error('again');
      },
    });
    const { id } = await worker.run('job');
    expect(await ledger().row('select processed, failed, skipped from outcomes where execution_id = $1', [id])).toEqual(
      {
        processed: '21',
        failed: null,
        skipped: '2',
      },
    );
  });

  it('walks its items chunk by chunk and goes on behind the checkpoint in the next attempt', async () => {
    const worker = await startWorker({
      job: async (run) => {
        let seen = 0;
        return payAll(run, () => {
          if (run.attempt === 1 && ++seen > 20) throw new Error('worker trouble');
        });
      },
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2, result: { processed: 5, failed: 0, skipped: 0 } });
    expect(await balances()).toEqual(Array.from({ length: ACCOUNTS }, () => 10));
    expect(await ledger().row('select processed from outcomes where execution_id = $1', [id])).toEqual({
      processed: '25',
    });
  });

  it('completes with errors when items were skipped, and records each of them', async () => {
    const worker = await startWorker({
      job: (run) =>
        payAll(
          run,
          (id) => {
            if (id === 7 || id === 25) throw new Error(`account ${id} is closed`);
          },
          { onError: 'skip' },
        ),
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'completed_with_errors', result: { processed: 23, failed: 2, skipped: 0 } });
    expect(
      await ledger().sql('select item_key, error_message from items where execution_id = $1 order by 1', [id]),
    ).toEqual([
      { item_key: '25', error_message: 'account 25 is closed' },
      { item_key: '7', error_message: 'account 7 is closed' },
    ]);
    expect((await balances()).filter((balance) => balance === 10)).toHaveLength(23);
  });

  it('remembers failed items of earlier attempts in its end', async () => {
    const worker = await startWorker({
      job: async (run) => {
        await payAll(
          run,
          (id) => {
            if (id === 1) throw new Error('closed');
          },
          { onError: 'skip' },
        );
        if (run.attempt === 1) throw new Error('again');
      },
    });
    expect(await worker.run('job')).toMatchObject({ state: 'completed_with_errors', attempts: 2 });
  });

  it('rolls a transaction back when the execution was asked to stop meanwhile, and ends canceled', async () => {
    const worker = await startWorker({
      job: async (run) => {
        await run
          .transaction(async (tx) => {
            await tx.query('update public.accounts set balance = 99 where id = 1');
            await ledger().sql('update work set cancel_requested_at = now()');
          })
          .catch(() => undefined);
        return run.signal.aborted;
      },
    });
    expect(await worker.run('job')).toMatchObject({ state: 'canceled', result: true });
    expect((await balances())[0]).toBe(0);
  });
});
