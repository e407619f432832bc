import { describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../libs/scheduled-jobs/src/core/execution/attempt-record.js';
import { ERROR_KINDS } from '../../libs/scheduled-jobs/src/core/execution/judgement.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const finish = (...records: AttemptRecord[]) =>
  ledgerOf().stores.work.finish(records, { workerId: 'w1', now: after(1_000) });

async function claimOne(execution: Parameters<ReturnType<typeof ledgerOf>['insert']>[0] = {}, now = T0) {
  await ledgerOf().insert(execution);
  return (await ledgerOf().claim({ now }))[0]!;
}

describe('finish', () => {
  it('ends a plain success with its outcome and its attempt', async () => {
    const claimed = await claimOne();
    expect(await finish(attemptRecord(claimed, { result: '{"n":1}' }))).toEqual([
      { executionId: claimed.executionId, disposition: 'succeeded', freedKey: null },
    ]);
    expect(await ledgerOf().sql('select * from work')).toEqual([]);
    expect(await ledgerOf().row('select * from outcomes')).toMatchObject({
      state: 'succeeded',
      reason: null,
      attempts: 1,
      lease_token: claimed.leaseToken,
      first_started_at: T0,
      started_at: T0,
      finished_at: after(1_000),
      result: { n: 1 },
      processed: null,
    });
    expect(await ledgerOf().row('select * from attempts')).toMatchObject({
      lease_token: claimed.leaseToken,
      attempt: 1,
      worker_id: 'w1',
      started_at: T0,
      finished_at: after(1_000),
      outcome: 'succeeded',
      error_class: null,
    });
  });

  it('does nothing for nothing', async () => {
    expect(await finish()).toEqual([]);
  });

  it('records an error with its attempt, and class, code and fingerprint with the outcome', async () => {
    const claimed = await claimOne();
    await finish(
      attemptRecord(claimed, { disposition: 'failed', outcome: 'timed_out', reason: null, error: storedError() }),
    );
    expect(await ledgerOf().row('select state, error_class, error_code, error_fingerprint from outcomes')).toEqual({
      state: 'failed',
      error_class: 'TypeError',
      error_code: 'E_BOOM',
      error_fingerprint: 'f1',
    });
    expect(await ledgerOf().row('select outcome, error_class, error_message, error_stack from attempts')).toEqual({
      outcome: 'timed_out',
      error_class: 'TypeError',
      error_message: 'boom',
      error_stack: 'TypeError: boom\n    at place',
    });
  });

  it.each(ERROR_KINDS)('records that an error is %s, with the attempt and with the outcome', async (kind) => {
    const error = { ...storedError(), kind };
    const claimed = await claimOne({ maxAttempts: 2 });
    await finish(attemptRecord(claimed, { disposition: 'retry', outcome: 'failed', error }));
    const [again] = await ledgerOf().claim({ now: T0 });
    await finish(attemptRecord(again!, { disposition: 'failed', outcome: 'failed', error }));
    expect(await ledgerOf().sql('select error_kind from attempts')).toEqual([
      { error_kind: kind },
      { error_kind: kind },
    ]);
    expect(await ledgerOf().row('select error_kind from outcomes')).toEqual({ error_kind: kind });
  });

  it('schedules a retry: delayed until its time, at once when that is past', async () => {
    const claimed = await claimOne({ key: 'job:1' });
    const [answer] = await finish(
      attemptRecord(claimed, { disposition: 'retry', outcome: 'failed', runAt: after(60_000), error: storedError() }),
    );
    expect(answer).toEqual({ executionId: claimed.executionId, disposition: 'retry', freedKey: null });
    expect(
      await ledgerOf().row(
        'select phase, retrying, attempt, run_at, lease_until, worker_id, first_started_at from work',
      ),
    ).toEqual({
      phase: 'delayed',
      retrying: true,
      attempt: 1,
      run_at: after(60_000),
      lease_until: null,
      worker_id: null,
      first_started_at: T0,
    });
    expect(await ledgerOf().stores.work.promote(10, after(59_999))).toBe(0);
    expect(await ledgerOf().stores.work.promote(10, after(60_000))).toBe(1);
    const [again] = await ledgerOf().claim({ now: after(60_000) });
    expect(again).toMatchObject({ attempt: 2 });
    await finish(attemptRecord(again!, { disposition: 'retry', outcome: 'failed', runAt: after(500) }));
    expect(await ledgerOf().row('select phase, attempt from work')).toEqual({ phase: 'ready', attempt: 2 });
  });

  it('gives the number of a call that does not count back', async () => {
    const claimed = await claimOne();
    await finish(attemptRecord(claimed, { disposition: 'retry', outcome: 'interrupted' }));
    expect(await ledgerOf().row('select phase, retrying, attempt from work')).toEqual({
      phase: 'ready',
      retrying: false,
      attempt: 0,
    });
    const [second] = await ledgerOf().claim();
    await finish(attemptRecord(second!, { disposition: 'retry', outcome: 'deferred', runAt: after(9_000) }));
    expect(await ledgerOf().row('select phase, retrying, attempt from work')).toEqual({
      phase: 'delayed',
      retrying: true,
      attempt: 0,
    });
    expect(await ledgerOf().sql('select attempt, outcome from attempts order by lease_token')).toEqual([
      { attempt: 1, outcome: 'interrupted' },
      { attempt: 1, outcome: 'deferred' },
    ]);
  });

  it('counts no attempt for an ending that a deferred call was the last of', async () => {
    const claimed = await claimOne();
    await finish(
      attemptRecord(claimed, { disposition: 'failed', outcome: 'deferred', reason: 'deadline', error: storedError() }),
    );
    expect(await ledgerOf().row('select state, reason, attempts from outcomes')).toEqual({
      state: 'failed',
      reason: 'deadline',
      attempts: 0,
    });
  });

  it('hands an unstarted claim back without an attempt, and the token goes on', async () => {
    const claimed = await claimOne();
    expect(await finish(attemptRecord(claimed, { disposition: 'released', outcome: null, startedAt: null }))).toEqual([
      { executionId: claimed.executionId, disposition: 'released', freedKey: null },
    ]);
    expect(await ledgerOf().sql('select 1 from attempts')).toEqual([]);
    const [again] = await ledgerOf().claim();
    expect(again).toMatchObject({ attempt: 1 });
    expect(BigInt(again!.leaseToken)).toBeGreaterThan(BigInt(claimed.leaseToken));
  });

  it('records a batch of every kind in one go', async () => {
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2' }, { key: 'job:3' }, { key: 'job:4' });
    const [a, b, c, d] = await ledgerOf().claim();
    const answers = await finish(
      attemptRecord(a!),
      attemptRecord(b!, { disposition: 'retry', outcome: 'failed', runAt: after(5_000) }),
      attemptRecord(c!, {
        disposition: 'completed_with_errors',
        outcome: 'completed_with_errors',
        counts: { processed: 9, failed: 1, skipped: 0 },
      }),
      attemptRecord(d!, { disposition: 'released', outcome: null, startedAt: null }),
    );
    expect(new Map(answers.map((answer) => [answer.executionId, answer.disposition]))).toEqual(
      new Map([
        [a!.executionId, 'succeeded'],
        [b!.executionId, 'retry'],
        [c!.executionId, 'completed_with_errors'],
        [d!.executionId, 'released'],
      ]),
    );
  });

  it('adds uncommitted counts to the committed ones, and tells each attempt what it added', async () => {
    const claimed = await claimOne();
    const lease = { ...claimed, leaseMs: 30_000 };
    const commit = (processed: number, of: typeof lease) =>
      ledgerOf().stores.transactions.run(
        of,
        async () => null,
        () => ({
          counts: { processed, failed: 0, skipped: 1 },
          checkpoint: null,
          failedItem: null,
        }),
      );
    await commit(10, lease);
    await finish(
      attemptRecord(claimed, {
        disposition: 'retry',
        outcome: 'failed',
        counts: { processed: 3, failed: 1, skipped: 0 },
      }),
    );
    const [second] = await ledgerOf().claim();
    await commit(5, { ...second!, leaseMs: 30_000 });
    await finish(attemptRecord(second!, { counts: { processed: 2, failed: 0, skipped: 0 } }));
    expect(await ledgerOf().sql('select processed, failed, skipped from attempts order by lease_token')).toEqual([
      { processed: '13', failed: '1', skipped: '1' },
      { processed: '7', failed: null, skipped: '1' },
    ]);
    expect(await ledgerOf().row('select processed, failed, skipped from outcomes')).toEqual({
      processed: '17',
      failed: null,
      skipped: '2',
    });
  });

  it('keeps committed counts also when the last attempt is a plain success', async () => {
    const claimed = await claimOne();
    await ledgerOf().stores.transactions.run(
      { ...claimed, leaseMs: 30_000 },
      async () => null,
      () => ({
        counts: { processed: 4, failed: 0, skipped: 0 },
        checkpoint: null,
        failedItem: null,
      }),
    );
    await finish(attemptRecord(claimed));
    expect(await ledgerOf().row('select processed from outcomes')).toEqual({ processed: '4' });
    expect(await ledgerOf().row('select processed from attempts')).toEqual({ processed: '4' });
  });

  it('frees the slot of its concurrency key at the end and keeps it for a retry', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({ concurrencyKey: 'k' }, { concurrencyKey: 'k' });
    await ledgerOf().stores.work.admit(['k']);
    const [claimed] = await ledgerOf().claim();
    const [retried] = await finish(
      attemptRecord(claimed!, { disposition: 'retry', outcome: 'failed', runAt: after(5_000) }),
    );
    expect(retried!.freedKey).toBeNull();
    expect(await ledgerOf().stores.work.admit(['k'])).toBe(0);
    await ledgerOf().stores.work.promote(10, after(5_000));
    const [again] = await ledgerOf().claim({ now: after(5_000) });
    const [ended] = await finish(attemptRecord(again!));
    expect(ended!.freedKey).toBe('k');
    expect(await ledgerOf().stores.work.admit(['k'])).toBe(1);
  });

  it('is fenced: an old token changes nothing, neither before nor after the next claim', async () => {
    const claimed = await claimOne();
    await ledgerOf().stores.work.rescue(10, after(31_000));
    const records = [
      attemptRecord(claimed),
      attemptRecord(claimed, { disposition: 'retry', outcome: 'failed' }),
      attemptRecord(claimed, { disposition: 'released', outcome: null, startedAt: null }),
    ];
    for (const record of records) expect(await finish(record)).toEqual([]);
    const [again] = await ledgerOf().claim({ worker: 'w2', now: after(31_000) });
    for (const record of records) expect(await finish(record)).toEqual([]);
    expect(await ledgerOf().row('select phase, worker_id, lease_token from work')).toEqual({
      phase: 'leased',
      worker_id: 'w2',
      lease_token: again!.leaseToken,
    });
  });

  it('is fenced by the token alone, when another id presents it', async () => {
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2' });
    const [a, b] = await ledgerOf().claim();
    expect(await finish(attemptRecord({ executionId: a!.executionId, leaseToken: b!.leaseToken }))).toEqual([]);
  });

  it('records one ending when two ask for it at once', async () => {
    const claimed = await claimOne();
    const answers = await Promise.all([finish(attemptRecord(claimed)), finish(attemptRecord(claimed))]);
    expect(answers.flat()).toHaveLength(1);
  });
});

describe('finish of an execution that was asked to stop', () => {
  const ask = () => ledgerOf().sql('update work set cancel_requested_at = $1', [T0]);

  it.each([
    ['a success', { result: '{"late":true}' }, 'succeeded', 1],
    ['a retry', { disposition: 'retry', outcome: 'failed', runAt: after(5_000) }, 'failed', 1],
    ['an interrupted call', { disposition: 'retry', outcome: 'interrupted' }, 'interrupted', 0],
    ['a cancellation', { disposition: 'canceled', outcome: 'canceled' }, 'canceled', 1],
  ] as const)('ends it canceled whatever the worker wants: %s', async (_name, record, outcome, attempts) => {
    const claimed = await claimOne();
    await ask();
    expect(await finish(attemptRecord(claimed, record))).toMatchObject([{ disposition: 'canceled' }]);
    expect(await ledgerOf().row('select state, reason, attempts from outcomes')).toEqual({
      state: 'canceled',
      reason: null,
      attempts,
    });
    expect(await ledgerOf().row('select outcome from attempts')).toEqual({ outcome });
  });

  it('ends an unstarted claim canceled without an attempt', async () => {
    const claimed = await claimOne();
    await ask();
    await finish(attemptRecord(claimed, { disposition: 'released', outcome: null, startedAt: null }));
    expect(await ledgerOf().row('select state, attempts from outcomes')).toEqual({ state: 'canceled', attempts: 0 });
    expect(await ledgerOf().sql('select 1 from attempts')).toEqual([]);
  });

  it('keeps the result as information', async () => {
    const claimed = await claimOne();
    await ask();
    await finish(attemptRecord(claimed, { result: '{"late":true}' }));
    expect(await ledgerOf().row('select result from outcomes')).toEqual({ result: { late: true } });
  });
});

describe('finish with a value that cannot be stored', () => {
  it('records all of a batch, the bad one without its result', async () => {
    await ledgerOf().insert(...Array.from({ length: 20 }, () => ({})));
    const claimed = await ledgerOf().claim();
    const records = claimed.map((one, index) =>
      attemptRecord(one, { result: index === 7 ? '{"a":"\\u0000"}' : '{"a":1}' }),
    );
    expect(await finish(...records)).toHaveLength(20);
    expect(await ledgerOf().sql('select execution_id, result_note from outcomes where result is null')).toEqual([
      { execution_id: claimed[7]!.executionId, result_note: expect.stringContaining('The result could not be stored') },
    ]);
  });

  it('does so for attempts of the full kind, too', async () => {
    await ledgerOf().insert({}, {}, {});
    const claimed = await ledgerOf().claim();
    const records = claimed.map((one, index) =>
      attemptRecord(one, {
        result: index === 1 ? '{"a":"\\u0000"}' : '{"a":1}',
        counts: { processed: 1, failed: 0, skipped: 0 },
      }),
    );
    expect(await finish(...records)).toHaveLength(3);
    expect(await ledgerOf().row('select count(*)::int as n from outcomes where result is not null')).toEqual({ n: 2 });
  });

  it('stores error texts with U+0000 readably', async () => {
    const claimed = await claimOne();
    await finish(attemptRecord(claimed, { disposition: 'failed', outcome: 'failed', error: storedError('a\u0000b') }));
    expect(await ledgerOf().row('select error_message from attempts')).toEqual({ error_message: 'a\uFFFDb' });
  });
});
