import { describe, expect, it } from 'vitest';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const MINUTE = 60_000;
const rescue = (now: Date) => ledgerOf().stores.work.rescue(100, now);

/** Claims at an instant and lets the lease run out. */
async function loseOnce(minute: number): Promise<ClaimedExecution> {
  const [claimed] = await ledgerOf().claim({ now: after(minute * MINUTE) });
  return claimed!;
}

const commitCheckpoint = (claimed: ClaimedExecution) =>
  ledgerOf().stores.transactions.run(
    claimed,
    async () => null,
    () => ({
      counts: { processed: 10, failed: 0, skipped: 0 },
      checkpoint: { itemsName: 'items', after: 7, done: false, failures: 0 },
      failedItem: null,
    }),
  );

describe('rescue', () => {
  it('leaves live leases alone', async () => {
    await ledgerOf().insert({});
    await ledgerOf().claim();
    expect(await rescue(after(29_999))).toEqual([]);
    expect(await ledgerOf().row('select phase from work')).toEqual({ phase: 'leased' });
  });

  it('leaves a lease alone whose renewal came late, with a fifth of its time left', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    for (const lateMs of [24_000, 48_000, 72_000]) {
      expect(await rescue(after(lateMs))).toEqual([]);
      await ledgerOf().stores.work.heartbeat([{ ...claimed!, startedAt: T0 }], after(lateMs));
    }
    expect(await rescue(after(101_000))).toEqual([]);
    expect(await rescue(after(102_001))).toMatchObject([{ executionId: claimed!.executionId }]);
  });

  it('takes started work over: a lost attempt, claimable at once, with a new token', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    expect(await rescue(after(31_000))).toEqual([
      { executionId: claimed!.executionId, ending: null, workerId: 'w1', freedKey: null },
    ]);
    expect(
      await ledgerOf().row(
        'select phase, retrying, attempt, lost_leases, losses_in_row, worker_id, first_started_at from work',
      ),
    ).toEqual({
      phase: 'ready',
      retrying: true,
      attempt: 1,
      lost_leases: 1,
      losses_in_row: 1,
      worker_id: null,
      first_started_at: T0,
    });
    expect(await ledgerOf().row('select attempt, outcome, worker_id, started_at, finished_at from attempts')).toEqual({
      attempt: 1,
      outcome: 'lost',
      worker_id: 'w1',
      started_at: T0,
      finished_at: after(31_000),
    });
    const [again] = await ledgerOf().claim({ worker: 'w2', now: after(31_000) });
    expect(again).toMatchObject({ attempt: 2 });
    expect(BigInt(again!.leaseToken)).toBeGreaterThan(BigInt(claimed!.leaseToken));
  });

  it('hands unstarted work back as if it had not been claimed, however often', async () => {
    await ledgerOf().insert({ maxAttempts: 1 });
    for (let i = 1; i <= 5; i++) {
      await ledgerOf().claim({ start: 0, now: after(i * MINUTE) });
      expect(await rescue(after(i * MINUTE + 31_000))).toMatchObject([{ ending: null }]);
    }
    expect(await ledgerOf().row('select phase, retrying, attempt, lost_leases, losses_in_row from work')).toEqual({
      phase: 'ready',
      retrying: false,
      attempt: 0,
      lost_leases: 0,
      losses_in_row: 0,
    });
    expect(await ledgerOf().sql('select 1 from attempts')).toEqual([]);
  });

  it('keeps a try that did not start a retry', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    await loseOnce(1);
    await rescue(after(MINUTE + 31_000));
    await ledgerOf().claim({ start: 0, now: after(2 * MINUTE) });
    await rescue(after(2 * MINUTE + 31_000));
    expect(await ledgerOf().row('select retrying, attempt from work')).toEqual({ retrying: true, attempt: 1 });
  });

  it('ends what loses its third lease in a row', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    for (let i = 1; i <= 2; i++) {
      await loseOnce(i);
      expect(await rescue(after(i * MINUTE + 31_000))).toMatchObject([{ ending: null }]);
    }
    const claimed = await loseOnce(3);
    expect(await rescue(after(3 * MINUTE + 31_000))).toMatchObject([{ ending: 'failed' }]);
    expect(
      await ledgerOf().row(
        'select state, reason, attempts, lost_leases, lease_token, error_code, finished_at from outcomes',
      ),
    ).toEqual({
      state: 'failed',
      reason: null,
      attempts: 3,
      lost_leases: 3,
      lease_token: claimed.leaseToken,
      error_code: 'JOBS_WORKER_LOST',
      finished_at: after(3 * MINUTE + 31_000),
    });
  });

  it('ends what used up its attempts', async () => {
    await ledgerOf().insert({ maxAttempts: 1 });
    await ledgerOf().claim();
    expect(await rescue(after(31_000))).toMatchObject([{ ending: 'failed' }]);
  });

  it('starts counting again after a lease that committed a checkpoint, and keeps what was committed', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    for (let i = 1; i <= 4; i++) {
      await commitCheckpoint(await loseOnce(i));
      expect(await rescue(after(i * MINUTE + 31_000))).toMatchObject([{ ending: null }]);
      expect(await ledgerOf().row('select losses_in_row, lost_leases from work')).toEqual({
        losses_in_row: 1,
        lost_leases: i,
      });
    }
    expect(await ledgerOf().row('select processed from work')).toEqual({ processed: '40' });
    expect(await ledgerOf().sql('select processed from attempts')).toEqual(
      Array.from({ length: 4 }, () => ({ processed: '10' })),
    );
  });

  it('does not let the checkpoint of an earlier lease stop the counting', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    await commitCheckpoint(await loseOnce(1));
    await rescue(after(MINUTE + 31_000));
    await loseOnce(2);
    await rescue(after(2 * MINUTE + 31_000));
    expect(await ledgerOf().row('select losses_in_row from work')).toEqual({ losses_in_row: 2 });
  });

  it('starts counting again after a recorded attempt', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    await loseOnce(1);
    await rescue(after(MINUTE + 31_000));
    const claimed = await loseOnce(2);
    await ledgerOf().stores.work.finish([attemptRecord(claimed, { disposition: 'retry', outcome: 'failed' })], {
      workerId: 'w1',
      now: T0,
    });
    expect(await ledgerOf().row('select losses_in_row, lost_leases from work')).toEqual({
      losses_in_row: 0,
      lost_leases: 1,
    });
  });

  it('goes on counting after a claim that was handed back unstarted', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    await loseOnce(1);
    await rescue(after(MINUTE + 31_000));
    const claimed = await loseOnce(2);
    await ledgerOf().stores.work.finish(
      [attemptRecord(claimed, { disposition: 'released', outcome: null, startedAt: null })],
      { workerId: 'w1', now: T0 },
    );
    expect(await ledgerOf().row('select losses_in_row from work')).toEqual({ losses_in_row: 1 });
  });

  it('ends canceled what was asked to stop, started or not', async () => {
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2' });
    await ledgerOf().claim({ start: 1 });
    await ledgerOf().sql('update work set cancel_requested_at = now()');
    expect(await rescue(after(31_000))).toMatchObject([{ ending: 'canceled' }, { ending: 'canceled' }]);
    expect(
      await ledgerOf().sql('select attempts, lost_leases, error_code from outcomes order by execution_id'),
    ).toEqual([
      { attempts: 1, lost_leases: 1, error_code: null },
      { attempts: 0, lost_leases: 0, error_code: null },
    ]);
  });

  it('frees the slot of what ends and keeps it for what runs again', async () => {
    await ledgerOf().jobs({ name: 'job', concurrency: 2 });
    await ledgerOf().insert({ concurrencyKey: 'k', maxAttempts: 1 }, { concurrencyKey: 'k' });
    await ledgerOf().stores.work.admit(['k']);
    await ledgerOf().claim();
    expect((await rescue(after(31_000))).map(({ ending, freedKey }) => [ending, freedKey])).toEqual([
      ['failed', 'k'],
      [null, null],
    ]);
    expect(await ledgerOf().row('select count(slot)::int as slots from work')).toEqual({ slots: 1 });
  });

  it('takes no more than the limit and does not wait for rows that are held', async () => {
    await ledgerOf().insert({}, {}, {});
    const [held] = await ledgerOf().claim();
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from work where execution_id = $1 for key share', [held!.executionId]);
    expect(await ledgerOf().stores.work.rescue(1, after(31_000))).toHaveLength(1);
    expect(await rescue(after(31_000))).toHaveLength(1);
    await client.query('rollback');
    expect(await rescue(after(31_000))).toMatchObject([{ executionId: held!.executionId }]);
  });
});
