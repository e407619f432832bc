import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PermanentError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { useLedger } from '../support/ledger-tests.js';
import { useWorkers } from '../support/test-workers.js';

describe('Steps of a run', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  beforeAll(() => createBusinessTables(ledger()));
  beforeEach(() => resetBusinessTables(ledger(), 1));

  const balance = async () => (await ledger().row<{ n: number }>('select balance as n from public.accounts')).n;
  const recorded = async (id: string) =>
    (
      await ledger().sql<{ name: string }>('select step_name as name from steps where execution_id = $1 order by 1', [
        id,
      ])
    ).map(({ name }) => name);

  it('are done once over all attempts, with one idempotency key each', async () => {
    const calls: string[] = [];
    const worker = await startWorker({
      job: async ({ step, attempt }) => {
        const charge = await step('charge', ({ idempotencyKey }) => {
          calls.push(`charge ${idempotencyKey}`);
          return { id: `c${attempt}` };
        });
        const mail = await step('mail', ({ idempotencyKey }) => {
          calls.push(`mail ${idempotencyKey}`);
          if (attempt < 3) throw new Error('mail server away');
          return attempt;
        });
        return [charge, mail];
      },
    });
    const { id, ...ended } = await worker.run('job', { key: 'job:4711' });
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 3, result: [{ id: 'c1' }, 3] });
    expect(calls).toEqual(['charge charge/job:4711', ...Array.from({ length: 3 }, () => 'mail mail/job:4711')]);
    expect(await recorded(id)).toEqual(['charge', 'mail']);
  });

  it('are remembered by a replay, and forgotten by the forced replay of a success', async () => {
    let charges = 0;
    const worker = await startWorker({
      job: async ({ step, attempt }) => {
        const charge = await step('charge', () => ++charges);
        if (attempt === 1) throw new PermanentError('no such order');
        return charge;
      },
    });
    const { id, state } = await worker.run('job');
    expect(state).toBe('failed');
    const replay = async (force: boolean) => {
      await ledger().stores.replays.replay(id, { actor: 'a', reason: 'r', now: null, force, corrected: null });
      return worker.ended(id);
    };
    expect(await replay(false)).toMatchObject({ state: 'succeeded', result: 1 });
    expect(await replay(true)).toMatchObject({ state: 'succeeded', result: 2 });
  });

  it('fail their execution at once when the result cannot be stored, and are not recorded', async () => {
    const worker = await startWorker({ job: ({ step }) => step('render', () => 'x'.repeat(300_000)) });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, error_code: 'JOBS_STEP_RESULT' });
    expect((await worker.attempts(id))[0]?.error_message).toContain('"render"');
    expect(await recorded(id)).toEqual([]);
  });

  it('in a transaction commit with its changes and counts, or not at all', async () => {
    const worker = await startWorker({
      job: async (run) => {
        const paid = await run.stepInTransaction('pay', async (tx) => {
          await tx.query('update public.accounts set balance = balance + 10');
          run.count({ processed: 1 });
          if (run.attempt === 1) throw new Error('roll back');
          return run.attempt;
        });
        if (run.attempt < 3) throw new Error('once more');
        return paid;
      },
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 3, result: 2 });
    expect(await balance()).toBe(10);
    expect(await ledger().row('select processed from outcomes where execution_id = $1', [id])).toEqual({
      processed: '1',
    });
  });

  it('of a transactional job: those in its transaction roll back with it, the others stay', async () => {
    let calls = 0;
    const worker = await startWorker({
      job: {
        transactional: true,
        handler: async (run) => {
          await run.step('charge', () => ++calls);
          await run.stepInTransaction('pay', async (tx) => {
            expect(tx).toBe(run.manager);
            await tx.query('update public.accounts set balance = balance + 10');
          });
          if (run.attempt === 1) throw new Error('roll back');
        },
      },
    });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect([calls, await balance(), await recorded(id)]).toEqual([1, 10, ['charge', 'pay']]);
  });

  it('end the attempt when the lease is lost, whether or not the handler lets the error pass', async () => {
    const worker = await startWorker({
      job: async (run) => {
        if (run.attempt > 1) return run.step('a', () => run.attempt);
        await ledger().sql(`update work set lease_token = nextval('lease_tokens')`);
        const refused = await run.step('a', () => 1).catch(({ code }: { code: string }) => code);
        return [refused, run.signal.aborted];
      },
    });
    expect(await worker.run('job')).toMatchObject({ state: 'succeeded', attempts: 2, result: 2 });
    await worker.recorder.next('lease.lost');
    expect(worker.recorder.of('lease.lost')).toHaveLength(1);
  });

  it('keep their keys, and the run its own, while the lease token grows: over retry, lost lease, replay and the next execution', async () => {
    const seen: string[][] = [];
    const worker = await startWorker({
      job: {
        retry: { maxAttempts: 3, backoff: ['10ms'] },
        handler: async (run) => {
          const key = await run.step(`look ${run.leaseToken}`, (step) => step.idempotencyKey.replace(/^[^/]+/, ''));
          seen.push([run.leaseToken, run.idempotencyKey, key]);
          if (run.attempt === 2) await ledger().sql(`update work set lease_token = nextval('lease_tokens')`);
          throw new Error('again');
        },
      },
    });
    const { id } = await worker.run('job', { key: 'job:1' });
    await ledger().stores.replays.replay(id, { actor: 'a', reason: 'r', now: null, force: false, corrected: null });
    await worker.ended(id);
    await worker.run('job', { key: 'job:2' });
    expect(seen.map(([, ...keys]) => keys)).toEqual([
      ...Array.from({ length: 6 }, () => ['job:1', '/job:1']),
      ...Array.from({ length: 3 }, () => ['job:2', '/job:2']),
    ]);
    const tokens = seen.map(([token]) => BigInt(token!));
    expect(tokens.every((token, index) => index === 0 || token > tokens[index - 1]!)).toBe(true);
  });
});
