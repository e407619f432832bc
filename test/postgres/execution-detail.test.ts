import { describe, expect, it } from 'vitest';
import { InvalidQueryError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { encodeCursor, filterDigest } from '../../libs/scheduled-jobs/src/postgres/ledger/cursor.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const reader = () => ledgerOf().stores.ledger;

async function failedOnce(key = 'job:1') {
  await ledgerOf().insert({ key, payload: '{"a":1}' });
  const [claimed] = await ledgerOf().claim();
  await ledgerOf().stores.work.finish(
    [
      attemptRecord(claimed!, {
        disposition: 'retry',
        outcome: 'failed',
        runAt: after(30_000),
        error: storedError('first'),
      }),
    ],
    { workerId: 'w1', now: T0 },
  );
  return claimed!;
}

describe('get', () => {
  it('gives everything about an execution, by key or by id', async () => {
    const [inserted] = await ledgerOf().insert({
      key: 'job:2026-03-01',
      period: '2026-03-01',
      interval: { start: after(-1_000), end: T0 },
      payload: '{"a":[1]}',
      actor: 'ann',
    });
    const [claimed] = await ledgerOf().claim();
    const detail = await reader().get('job:2026-03-01', after(5_000));
    expect(detail).toMatchObject({
      executionId: inserted!.executionId,
      state: 'running',
      interval: { start: after(-1_000), end: T0 },
      payload: { a: [1] },
      result: null,
      resultNote: null,
      error: null,
      actor: 'ann',
      maxAttempts: 4,
      leaseToken: claimed!.leaseToken,
      leaseUntil: after(30_000),
      deadlineAt: after(86_400_000),
      cancelRequestedAt: null,
      durationMs: 5_000,
    });
    expect(await reader().get(inserted!.executionId, after(5_000))).toEqual(detail);
  });

  it('finds an execution without a key by the key made from its id, and by no other of that kind', async () => {
    const [inserted] = await ledgerOf().insert({});
    expect(await reader().get(inserted!.key, T0)).toMatchObject({ executionId: inserted!.executionId });
    expect(await reader().get(`other:id:${inserted!.executionId}`, T0)).toBeNull();
  });

  it.each(['job:unknown', '999999999', '99999999999999999999', 'nonsense', '', 'job:\u0000'])(
    'finds nothing for %j',
    async (key) => {
      expect(await reader().get(key, T0)).toBeNull();
      expect(await reader().why(key, T0)).toBeNull();
    },
  );

  it('gives the error of the last attempt while it is tried again, and none once it succeeded', async () => {
    await failedOnce();
    expect(await reader().get('job:1', T0)).toMatchObject({
      state: 'retrying',
      error: { errorClass: 'TypeError', code: 'E_BOOM', message: 'first', stack: expect.stringContaining('at place') },
    });
    await ledgerOf().stores.work.promote(1, after(30_000));
    const [again] = await ledgerOf().claim({ now: after(30_000) });
    await ledgerOf().stores.work.finish([attemptRecord(again!, { result: '{"ok":true}' })], {
      workerId: 'w1',
      now: T0,
    });
    expect(await reader().get('job:1', T0)).toMatchObject({ state: 'succeeded', error: null, result: { ok: true } });
  });

  it('gives the code of a lost worker', async () => {
    await ledgerOf().insert({ key: 'job:1', maxAttempts: 1 });
    await ledgerOf().claim();
    await ledgerOf().stores.work.rescue(1, after(31_000));
    expect(await reader().get('job:1', T0)).toMatchObject({
      state: 'failed',
      error: { code: 'JOBS_WORKER_LOST', message: null },
    });
  });
});

describe('attempts, logs and items', () => {
  it('lists attempts oldest first, in pages', async () => {
    const { executionId } = await failedOnce();
    await ledgerOf().stores.work.promote(1, after(30_000));
    const [again] = await ledgerOf().claim({ now: after(30_000), worker: 'w2' });
    await ledgerOf().stores.work.finish([attemptRecord(again!, { counts: { processed: 3, failed: 0, skipped: 0 } })], {
      workerId: 'w2',
      now: T0,
    });
    const first = await reader().attempts(executionId, { limit: 1 });
    expect(first.items).toEqual([
      {
        leaseToken: expect.any(String),
        attempt: 1,
        workerId: 'w1',
        startedAt: T0,
        finishedAt: after(1_000),
        durationMs: 1_000,
        outcome: 'failed',
        counts: { processed: 0, failed: 0, skipped: 0 },
        error: { errorClass: 'TypeError', code: 'E_BOOM', message: 'first', stack: expect.any(String) },
        errorKind: 'transient',
      },
    ]);
    const second = await reader().attempts(executionId, { limit: 1, after: first.nextCursor });
    expect(second).toMatchObject({
      items: [{ attempt: 2, workerId: 'w2', counts: { processed: 3 }, error: null }],
      nextCursor: null,
    });
  });

  it('lists log lines in the order they were written, in pages', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    await ledgerOf().stores.work.appendLogs(
      [2, 1, 3].map((lineNo) => ({
        ...claimed!,
        lineNo,
        at: T0,
        level: 'warn' as const,
        message: `line ${lineNo}`,
        fields: '{"n":1}',
      })),
    );
    const first = await reader().logs(claimed!.executionId, { limit: 2 });
    expect(first.items).toEqual([
      { leaseToken: claimed!.leaseToken, lineNo: 1, at: T0, level: 'warn', message: 'line 1', fields: { n: 1 } },
      { leaseToken: claimed!.leaseToken, lineNo: 2, at: T0, level: 'warn', message: 'line 2', fields: { n: 1 } },
    ]);
    expect(await reader().logs(claimed!.executionId, { after: first.nextCursor })).toMatchObject({
      items: [{ lineNo: 3 }],
      nextCursor: null,
    });
  });

  it('lists failed items by name and key, in pages', async () => {
    await ledgerOf().insert({});
    const [claimed] = await ledgerOf().claim();
    for (const itemKey of ['b', 'a', 'c']) {
      await ledgerOf().stores.transactions.run(
        claimed!,
        async () => null,
        () => ({
          counts: { processed: 0, failed: 1, skipped: 0 },
          checkpoint: { itemsName: 'items', after: itemKey, done: false, failures: 1 },
          failedItem: { itemKey, error: storedError() },
        }),
      );
    }
    const first = await reader().items(claimed!.executionId, { limit: 2 });
    expect(first.items.map(({ itemKey }) => itemKey)).toEqual(['a', 'b']);
    expect(first.items[0]).toMatchObject({
      itemsName: 'items',
      error: { errorClass: 'TypeError', message: 'boom', fingerprint: 'f1' },
    });
    expect(await reader().items(claimed!.executionId, { after: first.nextCursor })).toMatchObject({
      items: [{ itemKey: 'c' }],
    });
  });

  it('lists attempts and logs by the number of their token, not by its digits', async () => {
    await ledgerOf().sql("select setval('lease_tokens', greatest(nextval('lease_tokens'), 98))");
    await ledgerOf().sql(
      "select setval('lease_tokens', (10 ^ ceil(log(last_value + 1)))::bigint - 2) from lease_tokens",
    );
    const { executionId, leaseToken } = await failedOnce();
    await ledgerOf().stores.work.promote(1, after(30_000));
    const [again] = await ledgerOf().claim({ now: after(30_000) });
    const line = { lineNo: 1, at: T0, level: 'warn' as const, message: 'said', fields: null };
    await ledgerOf().stores.work.appendLogs([{ ...again!, ...line }]);
    await ledgerOf().stores.work.finish([attemptRecord(again!, {})], { workerId: 'w1', now: T0 });
    expect(again!.leaseToken.length).toBe(leaseToken.length + 1);
    const { items, nextCursor } = await reader().attempts(executionId, { limit: 1 });
    expect(items).toMatchObject([{ attempt: 1, leaseToken }]);
    expect(await reader().attempts(executionId, { after: nextCursor })).toMatchObject({ items: [{ attempt: 2 }] });
    await ledgerOf().sql(
      `insert into logs (execution_id, lease_token, line_no, logged_at, level, message)
      select execution_id, $1::bigint, line_no, logged_at, level, 'said before' from logs`,
      [leaseToken],
    );
    expect((await reader().logs(executionId)).items).toMatchObject([{ message: 'said before' }, { message: 'said' }]);
  });

  it('gives empty pages for what does not exist', async () => {
    for (const id of ['999999', 'nonsense', '99999999999999999999']) {
      expect(await reader().attempts(id)).toEqual({ items: [], nextCursor: null });
      expect(await reader().logs(id)).toEqual({ items: [], nextCursor: null });
      expect(await reader().items(id)).toEqual({ items: [], nextCursor: null });
    }
  });

  it('refuses limits out of range and cursors of other lists', async () => {
    const { executionId } = await failedOnce();
    await failedOnce('job:2');
    const cursor = Buffer.from(JSON.stringify(['x', '1'])).toString('base64url');
    for (const page of [
      { limit: 0 },
      { limit: 201 },
      { limit: 1.5 },
      { after: 'nonsense' },
      { after: '' },
      { after: cursor },
    ]) {
      await expect(reader().attempts(executionId, page)).rejects.toThrow(InvalidQueryError);
      await expect(reader().logs(executionId, page)).rejects.toThrow(InvalidQueryError);
      await expect(reader().items(executionId, page)).rejects.toThrow(InvalidQueryError);
    }
    for (const at of ['0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-99-99T99:99:99.999Z']) {
      const made = encodeCursor(filterDigest(['steps', executionId]), [at, 'fetch']);
      await expect(reader().steps(executionId, { after: made })).rejects.toThrow(InvalidQueryError);
    }
  });
});

describe('why', () => {
  const why = async (key: string, now = T0) => (await reader().why(key, now))!;

  it('says from when on it may run', async () => {
    await ledgerOf().insert({ key: 'job:1', runAt: after(5_000) });
    expect(await why('job:1')).toMatchObject({
      standing: { kind: 'not-due', until: after(5_000) },
      text: 'It may not run before 2026-03-01T12:00:05.000Z.',
    });
  });

  it('says that its job is paused, since when, by whom and why, unless it runs or has ended', async () => {
    await ledgerOf().insert({ key: 'job:1' });
    const [running] = await ledgerOf().claim();
    await ledgerOf().insert(
      { key: 'job:2' },
      { key: 'job:3', runAt: after(5_000) },
      { jobName: 'other', key: 'other:1' },
    );
    await ledgerOf().stores.suspensions.pause('job', { actor: 'anna', reason: 'maintenance', now: after(1_000) });
    for (const key of ['job:2', 'job:3']) {
      expect(await why(key)).toMatchObject({
        standing: { kind: 'paused', since: after(1_000), actor: 'anna', reason: 'maintenance' },
        text: 'Its job has been paused by anna since 2026-03-01T12:00:01.000Z (maintenance). It waits until the job is resumed.',
      });
    }
    expect((await why('job:1')).standing.kind).toBe('running');
    expect((await why('other:1')).standing.kind).toBe('queued');
    await ledgerOf().stores.work.finish([attemptRecord(running!)], { workerId: 'w1', now: after(2_000) });
    expect((await why('job:1')).standing.kind).toBe('ended');
  });

  it('says how many come first in its queue', async () => {
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2' }, { key: 'other:1', queue: 'other' }, { key: 'job:3' });
    expect((await why('job:3')).standing).toEqual({ kind: 'queued', queue: 'default', ahead: 2, unserved: false });
    expect((await why('job:1')).standing).toEqual({ kind: 'queued', queue: 'default', ahead: 0, unserved: false });
    expect((await why('other:1')).text).toContain('the next one in the queue "other"');
  });

  it('says who holds the slots of its key', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({ key: 'job:1', concurrencyKey: 'k' }, { key: 'job:2', concurrencyKey: 'k' });
    expect(await why('job:1')).toMatchObject({
      standing: { kind: 'waiting-for-slot', concurrencyKey: 'k', heldBy: [], ahead: 0, unserved: false },
      text: 'It waits to be admitted under "k", which happens at the next poll of a worker.',
    });
    await ledgerOf().stores.work.admit(['k']);
    expect(await why('job:2')).toMatchObject({
      standing: { kind: 'waiting-for-slot', concurrencyKey: 'k', heldBy: ['job:1'], ahead: 1 },
      text: 'It waits for 1 earlier execution with the concurrency key "k"; first "job:1".',
    });
  });

  it('says for how many earlier executions of its job it waits', async () => {
    await ledgerOf().jobs({ name: 'job' });
    const group = { concurrencyKey: 'job:job' };
    await ledgerOf().insert({ key: 'job:1', ...group }, { key: 'job:2', ...group }, { key: 'job:3', ...group });
    expect((await why('job:3')).text).toBe('It waits for 2 earlier executions of "job".');
    await ledgerOf().stores.work.admit(['job:job']);
    expect((await why('job:3')).text).toBe('It waits for 2 earlier executions of "job"; first "job:1".');
  });

  it('says that no worker seems to serve its queue when nothing of it is claimed for long', async () => {
    const unserved = ' No running worker seems to serve its queue and to handle its job.';
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert(
      { key: 'job:1' },
      { key: 'job:2' },
      { key: 'job:3', concurrencyKey: 'k', queue: 'other' },
      { key: 'job:4', concurrencyKey: 'k', queue: 'other' },
    );
    expect((await why('job:2', after(29_000))).text).not.toContain(unserved);
    expect((await why('job:1', after(31_000))).text).toBe(`It is the next one in the queue "default".${unserved}`);
    expect((await why('job:2', after(31_000))).text).toBe(
      `It waits in the queue "default" behind 1 other(s).${unserved}`,
    );
    expect(await why('job:4', after(31_000))).toMatchObject({
      standing: { unserved: true },
      text: `It waits for 1 earlier execution with the concurrency key "k".${unserved}`,
    });
    await ledgerOf().claim({ take: 1, now: after(31_000) });
    expect((await why('job:2', after(32_000))).standing).toMatchObject({ unserved: false });
    expect((await why('job:4', after(32_000))).standing).toMatchObject({ unserved: true });
    expect((await why('job:2', after(62_000))).standing).toMatchObject({ unserved: true });
  });

  it('says when it is tried again, and that it is queued once that is due', async () => {
    await failedOnce();
    const again = { at: after(30_000), attempt: 2, maxAttempts: 4, after: 'failed' };
    expect(await why('job:1')).toMatchObject({
      standing: { kind: 'retrying', ...again },
      text: 'It failed and is tried again at 2026-03-01T12:00:30.000Z (attempt 2 of 4).',
    });
    expect((await why('job:1', after(30_000))).standing).toMatchObject({ kind: 'queued', queue: 'default', ahead: 0 });
  });

  it('does not call failed what asked to be called later', async () => {
    await ledgerOf().insert({ key: 'job:1' });
    const [claimed] = await ledgerOf().claim();
    const deferred = { disposition: 'retry', outcome: 'deferred', runAt: after(30_000) } as const;
    await ledgerOf().stores.work.finish([attemptRecord(claimed!, deferred)], { workerId: 'w1', now: T0 });
    expect(await why('job:1')).toMatchObject({
      standing: { kind: 'retrying', attempt: 1, after: 'deferred' },
      text: 'Its handler asked to be called again later; that happens at 2026-03-01T12:00:30.000Z (attempt 1 of 4).',
    });
  });

  it('says which worker has claimed it or runs it', async () => {
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2' });
    await ledgerOf().claim({ start: 1, worker: 'w7' });
    await ledgerOf().sql('update work set cancel_requested_at = now() where started_at is not null');
    expect((await why('job:1')).standing).toEqual({
      kind: 'running',
      workerId: 'w7',
      since: T0,
      cancelRequested: true,
    });
    expect((await why('job:2')).standing).toEqual({ kind: 'claimed', workerId: 'w7', leaseUntil: after(30_000) });
  });

  it('says how it ended', async () => {
    await ledgerOf().insert({ key: 'job:1', skip: 'dst-gap' }, { key: 'job:2', maxAttempts: 1 });
    await ledgerOf().claim();
    await ledgerOf().stores.work.rescue(1, after(31_000));
    expect(await why('job:1')).toMatchObject({
      standing: { kind: 'ended', state: 'skipped', reason: 'dst-gap', finishedAt: T0 },
      text: 'It ended skipped at 2026-03-01T12:00:00.000Z because of dst-gap.',
    });
    expect((await why('job:2')).text).toBe(
      'It ended failed at 2026-03-01T12:00:31.000Z after 1 attempt with JOBS_WORKER_LOST.',
    );
  });

  it('says how many items failed, which its list of items names', async () => {
    await ledgerOf().insert({ key: 'job:1' });
    const [claimed] = await ledgerOf().claim();
    const record = attemptRecord(claimed!, {
      disposition: 'completed_with_errors',
      outcome: 'completed_with_errors',
      counts: { processed: 40, failed: 3, skipped: 0 },
    });
    await ledgerOf().stores.work.finish([record], { workerId: 'w1', now: T0 });
    expect(await why('job:1')).toMatchObject({
      standing: { kind: 'ended', failedItems: 3 },
      text: 'It ended completed_with_errors at 2026-03-01T12:00:01.000Z with 3 failed item(s).',
    });
  });

  it('says with which error it failed, and not that of an attempt before it was canceled', async () => {
    const error = storedError(`the shelf is empty\n${'x'.repeat(1_000)}`);
    await ledgerOf().insert({ key: 'job:1' }, { key: 'job:2' });
    const [failing, canceled] = await ledgerOf().claim();
    await ledgerOf().sql('update work set cancel_requested_at = now() where execution_id = $1', [
      canceled!.executionId,
    ]);
    await ledgerOf().stores.work.finish(
      [
        attemptRecord(failing!, { disposition: 'failed', outcome: 'failed', error }),
        attemptRecord(canceled!, { disposition: 'retry', outcome: 'failed', runAt: after(30_000), error }),
      ],
      { workerId: 'w1', now: T0 },
    );
    expect(await why('job:1')).toMatchObject({
      standing: { attempts: 1, errorClass: 'TypeError', errorCode: 'E_BOOM', errorMessage: 'the shelf is empty' },
      text: 'It ended failed at 2026-03-01T12:00:01.000Z after 1 attempt with TypeError: the shelf is empty.',
    });
    expect((await why('job:2')).text).toBe('It ended canceled at 2026-03-01T12:00:01.000Z.');
  });
});
