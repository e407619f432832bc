import { describe, expect, it } from 'vitest';
import type { ReplayPageRequest, ReplayRequest } from '../../libs/scheduled-jobs/src/core/ports/replay-store.js';
import type { AttemptRecord } from '../../libs/scheduled-jobs/src/core/execution/attempt-record.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const DAY = 86_400_000;
const LATER = after(3 * DAY);
const by = { actor: 'ann', reason: 'fixed' };
const FAILED = { disposition: 'failed', outcome: 'failed', error: storedError() } as const;

const replay = (id: string, request: Partial<ReplayRequest> = {}) =>
  ledgerOf().stores.replays.replay(id, { ...by, now: LATER, force: false, corrected: null, ...request });
const page = (request: Partial<ReplayPageRequest> = {}) =>
  ledgerOf().stores.replays.replayPage({
    ...by,
    now: LATER,
    filter: { job: 'job' },
    limit: 1_000,
    maxPerMinute: 600,
    after: null,
    ...request,
  });

/** Claims everything that is ready and ends it. */
async function end(record: Partial<AttemptRecord>, now = T0): Promise<readonly string[]> {
  const claimed = await ledgerOf().claim({ now });
  await ledgerOf().stores.work.finish(
    claimed.map((one) => attemptRecord(one, { ...record, startedAt: now, finishedAt: now })),
    { workerId: 'w1', now },
  );
  return claimed.map(({ executionId }) => executionId);
}

async function ended(record: Partial<AttemptRecord>, count = 1): Promise<readonly string[]> {
  await ledgerOf().insert(...Array.from({ length: count }, () => ({})));
  return end(record);
}

const workOf = (id: string) => ledgerOf().row('select * from work where execution_id = $1', [id]);

describe('a replay', () => {
  it('goes on with token and attempt numbers, and begins attempts and deadline anew', async () => {
    await ledgerOf().sql(
      `insert into jobs (name, overlap, concurrency, lease_ms, deadline_ms) values ('job', 'allow', 1, 7000, 60000)`,
    );
    await ledgerOf().insert({ maxAttempts: 2 });
    await end({ disposition: 'retry', outcome: 'failed', runAt: T0 });
    const [id = ''] = await end(FAILED);
    const { lease_token: token } = await ledgerOf().row<{ lease_token: string }>('select lease_token from outcomes');
    expect(await replay(id)).toEqual({ executionId: id, key: `job:id:${id}`, runAt: LATER });
    expect(await workOf(id)).toMatchObject({
      phase: 'ready',
      retrying: false,
      attempt: 2,
      max_attempts: 4,
      lease_ms: 7_000,
      lease_token: token,
      lease_until: null,
      started_at: null,
      first_started_at: T0,
      losses_in_row: 0,
      run_at: LATER,
      deadline_at: after(60_000, LATER),
      cancel_requested_at: null,
    });
    const [claimed] = await ledgerOf().claim({ now: LATER });
    expect(claimed).toMatchObject({ attempt: 3, maxAttempts: 4, leaseMs: 7_000 });
    expect(BigInt(claimed!.leaseToken)).toBeGreaterThan(BigInt(token));
    expect(await ledgerOf().row('select count(*)::int as n from attempts')).toEqual({ n: 2 });
  });

  it('brings back what failed, was canceled, skipped or ended with errors', async () => {
    for (const [state, reason] of [
      ['failed', 'deadline'],
      ['completed_with_errors', null],
      ['canceled', null],
      ['skipped', 'overlap'],
    ]) {
      const [id = ''] = await ended({});
      await ledgerOf().sql('update outcomes set state = $2, reason = $3 where execution_id = $1', [id, state, reason]);
      expect(await replay(id), state!).toMatchObject({ executionId: id });
      await ledgerOf().sql('update work set max_attempts = 9');
    }
  });

  it('repeats a success only by force, and then from its beginning', async () => {
    const [id = ''] = await ended({ counts: { processed: 5, failed: 0, skipped: 0 } });
    await ledgerOf().sql(
      `insert into checkpoints (execution_id, items_name, done, failures, lease_token, updated_at) values ($1, 'all', true, 0, 1, now())`,
      [id],
    );
    expect(await replay(id)).toBeNull();
    expect(await ledgerOf().row('select state from outcomes')).toEqual({ state: 'succeeded' });
    expect(await replay(id, { force: true })).toMatchObject({ executionId: id });
    expect(await ledgerOf().sql('select 1 from checkpoints')).toEqual([]);
    expect(await workOf(id)).toMatchObject({ processed: null });
  });

  it('goes on from the checkpoint of a walk, with its counts and its failed items', async () => {
    const [id = ''] = await ended({ ...FAILED, counts: { processed: 5, failed: 1, skipped: 2 } });
    await ledgerOf().sql(
      `insert into checkpoints (execution_id, items_name, done, failures, lease_token, updated_at) values ($1, 'all', false, 1, 1, now())`,
      [id],
    );
    await replay(id);
    expect(await workOf(id)).toMatchObject({ processed: '5', failed: '1', skipped: '2' });
    expect(await ledgerOf().sql('select 1 from checkpoints')).toHaveLength(1);
  });

  it('counts nothing twice that no checkpoint keeps', async () => {
    const [id = ''] = await ended({ ...FAILED, counts: { processed: 5, failed: 0, skipped: 0 } });
    await replay(id);
    expect(await workOf(id)).toMatchObject({ processed: null });
  });

  it('keeps the counts of steps, which are not done again', async () => {
    const [id = ''] = await ended({ ...FAILED, counts: { processed: 5, failed: 0, skipped: 0 } });
    await ledgerOf().sql(`insert into steps values ($1, 'book', 1, $2, $2, null)`, [id, T0]);
    await replay(id);
    expect(await workOf(id)).toMatchObject({ processed: '5' });
  });

  it('waits for a slot where it has a concurrency key', async () => {
    await ledgerOf().jobs({ name: 'job' });
    await ledgerOf().insert({ concurrencyKey: 'k' }, { concurrencyKey: 'k' });
    await ledgerOf().stores.work.admit(['k']);
    const [id = ''] = await end(FAILED);
    await ledgerOf().stores.work.admit(['k']);
    await replay(id);
    expect(await workOf(id)).toMatchObject({ phase: 'waiting', slot: null });
  });

  it('passes over what another statement holds, and never waits for it', async () => {
    const [id = '', other = ''] = await ended(FAILED, 2);
    const client = await ledgerOf().client();
    await client.query('begin');
    await client.query('select 1 from outcomes where execution_id = $1 for update', [id]);
    expect(await replay(id)).toBeNull();
    const { replayed, leftAlone } = await page();
    expect([replayed.map(({ executionId }) => executionId), leftAlone]).toEqual([[other], 1]);
    await client.query('rollback');
    expect(await replay(id)).not.toBeNull();
  });

  it('happens once, however many ask for it at the same moment', async () => {
    const [id = ''] = await ended(FAILED);
    const answers = await Promise.all(Array.from({ length: 8 }, () => replay(id)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    expect(await ledgerOf().sql(`select 1 from audit where action = 'replay'`)).toHaveLength(1);
    expect(await replay(id)).toBeNull();
  });

  it('stores a corrected payload, and in the audit the former one without its secrets', async () => {
    await ledgerOf().insert({ payload: '{"to":"x@","password":"hunter2"}', concurrencyKey: null });
    const [id = ''] = await end(FAILED);
    await replay(id, { corrected: { json: '{"to":"x@example.org"}', concurrencyKey: 'x' } });
    expect(await ledgerOf().row('select payload, concurrency_key from executions')).toEqual({
      payload: { to: 'x@example.org' },
      concurrency_key: 'x',
    });
    expect(await workOf(id)).toMatchObject({ phase: 'waiting', concurrency_key: 'x' });
    expect(await ledgerOf().sql('select action, actor, reason, subject, execution_id, at, details from audit')).toEqual(
      [
        {
          action: 'replay',
          actor: 'ann',
          reason: 'fixed',
          subject: `job:id:${id}`,
          execution_id: id,
          at: LATER,
          details: { state: 'failed', attempts: 1, formerPayload: { to: 'x@', password: '[redacted]' } },
        },
      ],
    );
  });

  it('is on record in the audit exactly if it happens', async () => {
    const [id = ''] = await ended(FAILED);
    await ledgerOf().sql(`alter table audit add constraint broken check (action <> 'replay')`);
    await expect(replay(id)).rejects.toThrow('broken');
    await ledgerOf().sql('alter table audit drop constraint broken');
    expect(await ledgerOf().sql('select 1 from work')).toEqual([]);
    expect(await replay(id)).not.toBeNull();
  });
});

describe('the replay of many', () => {
  it('shows first what it would do: by job and kind of error, with the newest examples', async () => {
    await ended({ ...FAILED, error: { ...storedError(), fingerprint: 'other' } });
    const ids = await ended(FAILED, 5);
    await ended({}, 2);
    expect(await ledgerOf().stores.replays.preview({ job: 'job' })).toEqual({
      count: 6,
      groups: [
        {
          job: 'job',
          fingerprint: 'f1',
          errorClass: 'TypeError',
          count: 5,
          examples: ids
            .slice(-3)
            .toReversed()
            .map((id) => `job:id:${id}`),
        },
        expect.objectContaining({ fingerprint: 'other', count: 1 }),
      ],
    });
    expect(await ledgerOf().sql('select 1 from work')).toEqual([]);
  });

  it.each([
    [{ job: 'job' }, ['a', 'b', 'c']],
    [{ job: 'none' }, []],
    [{ queue: 'mail' }, ['c']],
    [{ fingerprint: 'f2' }, ['b']],
    [{ states: ['canceled' as const] }, ['d']],
    [{ finishedFrom: after(1), finishedTo: after(3) }, ['b']],
  ])('takes by %o what it means', async (filter, keys) => {
    for (const [key, queue, fingerprint, ms] of [
      ['a', 'default', 'f1', 0],
      ['b', 'default', 'f2', 2],
      ['c', 'mail', 'f1', 3],
      ['d', 'default', 'f1', 0],
      ['acknowledged', 'default', 'f2', 2],
      ['succeeded', 'default', null, 0],
    ] as const) {
      await ledgerOf().insert({ key, queue });
      await ledgerOf().sql(`delete from work`);
      const state = key === 'd' ? 'canceled' : key === 'succeeded' ? 'succeeded' : 'failed';
      await ledgerOf().sql(
        `insert into outcomes (execution_id, state, error_fingerprint, finished_at, acknowledged_at)
         select max(id), $1, $2, $3, $4 from executions`,
        [state, fingerprint, after(ms), key === 'acknowledged' ? T0 : null],
      );
    }
    const { replayed } = await page({ filter });
    expect(replayed.map(({ key }) => key)).toEqual(keys);
  });

  it('acts only on what is still in the state that was filtered', async () => {
    const ids = await ended(FAILED, 3);
    const client = await ledgerOf().client();
    // The first one changes after it was chosen and before its turn comes.
    await client.query('begin');
    await client.query(`lock table work in share mode`);
    const replaying = page();
    await expect.poll(() => ledgerOf().lockWaits()).toBe(1);
    await client.query(`update outcomes set state = 'canceled' where execution_id = $1`, [ids[0]]);
    await client.query('commit');
    const { replayed } = await replaying;
    expect(replayed.map(({ executionId }) => executionId)).toEqual(ids.slice(1));
    expect(await ledgerOf().row('select state from outcomes')).toEqual({ state: 'canceled' });
  });

  it('goes page by page and keeps one pace over all of them', async () => {
    const ids = await ended(FAILED, 5);
    const first = await page({ limit: 2, maxPerMinute: 60 });
    const second = await page({ limit: 2, maxPerMinute: 60, after: first.next });
    const third = await page({ limit: 2, maxPerMinute: 60, after: second.next });
    const replayed = [...first.replayed, ...second.replayed, ...third.replayed];
    expect(replayed.map(({ executionId }) => executionId)).toEqual(ids);
    expect(replayed.map(({ runAt }) => runAt)).toEqual([0, 1, 2, 3, 4].map((n) => after(n * 1_000, LATER)));
    expect([first.next === null, second.next === null, third.next]).toEqual([false, false, null]);
    expect(await ledgerOf().sql('select phase from work order by run_at')).toEqual([
      { phase: 'ready' },
      ...Array.from({ length: 4 }, () => ({ phase: 'delayed' })),
    ]);
    expect(
      await ledgerOf().sql(
        `select actor, reason, job_name, details from audit where action = 'replay-many' order by id`,
      ),
    ).toEqual(
      [2, 2, 1].map((count) => ({
        ...by,
        job_name: 'job',
        details: { replayed: count, leftAlone: 0, maxPerMinute: 60 },
      })),
    );
  });
});
