import { describe, expect, it } from 'vitest';
import { Operations } from '../../libs/scheduled-jobs/src/engine/operations.js';
import { useLedger } from '../support/ledger-tests.js';
import { useWorkers } from '../support/test-workers.js';

const ledger = useLedger();
const startWorker = useWorkers(ledger);
const by = { actor: 'ann', reason: 'fixed', now: null, force: false, corrected: null };
const replay = (keyOrId: string, request: Partial<typeof by> = {}) =>
  new Operations(ledger().stores.operations, ledger().stores.replays).replay(keyOrId, { ...by, ...request });

describe('An execution that is replayed', () => {
  it('is called as often as before, days after it failed, with greater tokens and its history kept', async () => {
    const calls: { readonly attempt: number; readonly token: bigint }[] = [];
    const worker = await startWorker({
      job: {
        timeout: '60s',
        retry: { maxAttempts: 2, backoff: ['10ms'] },
        handler: (run) => {
          calls.push({ attempt: run.attempt, token: BigInt(run.leaseToken) });
          throw new Error(`call ${calls.length}`);
        },
      },
    });
    const { id } = await worker.run('job', { key: 'job:1' });
    for (const table of ['outcomes', 'attempts']) {
      await ledger().sql(
        `update ${table} set started_at = started_at - interval '3 days', finished_at = finished_at - interval '3 days'`,
      );
    }
    await replay('job:1');
    expect(await worker.ended(id)).toMatchObject({ state: 'failed', attempts: 4, reason: null });
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(calls.map(({ token }) => token)).toEqual(calls.map(({ token }) => token).toSorted((a, b) => Number(a - b)));
    expect(new Set(calls.map(({ token }) => token)).size).toBe(4);
    expect((await worker.attempts(id)).map(({ error_message: message }) => message)).toEqual([
      'call 1',
      'call 2',
      'call 3',
      'call 4',
    ]);
  });

  it('may succeed, and its ending replaces the former one', async () => {
    let broken = true;
    const worker = await startWorker({
      job: {
        retry: { maxAttempts: 1 },
        handler: () => {
          if (broken) throw new TypeError('the server is away');
          return 'sent';
        },
      },
    });
    const { id } = await worker.run('job', { key: 'job:1' });
    broken = false;
    await replay(id);
    expect(await worker.ended(id)).toMatchObject({
      state: 'succeeded',
      attempts: 2,
      result: 'sent',
      error_class: null,
    });
    expect(await ledger().stores.ledger.deadLetters({}, null)).toMatchObject({ items: [] });
  });

  it('walks over its items again where a success is replayed by force', async () => {
    const handled: number[] = [];
    const worker = await startWorker({
      job: (run) =>
        run.items(
          { name: 'all', source: async (after) => (after === null ? [1, 2] : []), key: (n: number) => n, size: 2 },
          async (items) => {
            handled.push(...items);
          },
        ),
    });
    const { id } = await worker.run('job', { key: 'job:1' });
    await replay(id, { force: true });
    expect(await worker.ended(id)).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(handled).toEqual([1, 2, 1, 2]);
    expect(await ledger().row('select processed from outcomes')).toEqual({ processed: '2' });
  });
});
