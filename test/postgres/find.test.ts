import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidQueryError } from '../../libs/scheduled-jobs/src/core/errors.js';
import type { ExecutionQuery } from '../../libs/scheduled-jobs/src/core/ports/ledger-reader.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, storedError, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const NOW = after(60_000);
const find = (query: ExecutionQuery = {}) => ledgerOf().stores.ledger.find(query, NOW);
const keys = async (query: ExecutionQuery) => (await find(query)).items.map(({ key }) => key);

/** One execution of each state; ids ascend in the order of the names, nominal times descend. */
beforeEach(async () => {
  const ledger = ledgerOf();
  await ledger.insert(
    ...['succeeded', 'errors', 'failed', 'canceled', 'retrying', 'running'].map((name, n) => ({
      jobName: n % 2 === 0 ? 'even' : 'odd',
      key: `${n % 2 === 0 ? 'even' : 'odd'}:${name}`,
      period: name,
      scheduledFor: after(-n * 1_000),
      runAt: T0,
      priority: n,
    })),
    {
      jobName: 'odd',
      key: 'odd:skipped',
      period: 'skipped',
      scheduledFor: after(-6_000),
      skip: 'excluded',
      trigger: 'schedule',
    },
    {
      jobName: 'even',
      key: 'even:pending',
      period: 'pending',
      scheduledFor: after(-7_000),
      runAt: after(90_000),
      queue: 'mail',
      trigger: 'trigger',
    },
  );
  const claimed = new Map((await ledger.claim({ worker: 'w1' })).map((one) => [one.period, one]));
  await ledger.stores.work.finish(
    [
      attemptRecord(claimed.get('succeeded')!, { finishedAt: after(3_000) }),
      attemptRecord(claimed.get('errors')!, {
        disposition: 'completed_with_errors',
        outcome: 'completed_with_errors',
        counts: { processed: 7, failed: 2, skipped: 1 },
      }),
      attemptRecord(claimed.get('failed')!, { disposition: 'failed', outcome: 'failed', error: storedError() }),
      attemptRecord(claimed.get('canceled')!, { disposition: 'canceled', outcome: 'canceled' }),
      attemptRecord(claimed.get('retrying')!, {
        disposition: 'retry',
        outcome: 'failed',
        runAt: after(30_000),
        error: storedError(),
      }),
    ],
    { workerId: 'w1', now: T0 },
  );
});

describe('find', () => {
  it('lists everything, newest id first, without payload, result or stack', async () => {
    const { items, nextCursor } = await find();
    expect(items.map(({ key, state }) => [key, state])).toEqual([
      ['even:pending', 'pending'],
      ['odd:skipped', 'skipped'],
      ['odd:running', 'running'],
      ['even:retrying', 'retrying'],
      ['odd:canceled', 'canceled'],
      ['even:failed', 'failed'],
      ['odd:errors', 'completed_with_errors'],
      ['even:succeeded', 'succeeded'],
    ]);
    expect(nextCursor).toBeNull();
    for (const item of items) {
      expect(Object.keys(item)).not.toEqual(expect.arrayContaining([expect.stringMatching(/payload|result|stack/)]));
    }
  });

  it('shows times, delays, counts and errors of what ended', async () => {
    const [item] = (await find({ states: ['completed_with_errors'] })).items;
    expect(item).toEqual({
      executionId: expect.stringMatching(/^\d+$/),
      key: 'odd:errors',
      jobName: 'odd',
      period: 'errors',
      state: 'completed_with_errors',
      reason: null,
      queue: 'default',
      priority: 1,
      trigger: 'enqueue',
      actor: null,
      scheduledFor: after(-1_000),
      createdAt: T0,
      runAt: null,
      firstStartedAt: T0,
      startedAt: T0,
      finishedAt: after(1_000),
      startDelayMs: 1_000,
      durationMs: 1_000,
      attempts: 1,
      lostLeases: 0,
      workerId: 'w1',
      stage: null,
      percent: null,
      counts: { processed: 7, failed: 2, skipped: 1 },
      errorClass: null,
      errorCode: null,
      errorKind: null,
    });
  });

  it('shows worker, progress and the time so far of what runs', async () => {
    const [running] = (await find({ states: ['running'] })).items;
    expect(running).toMatchObject({ workerId: 'w1', startedAt: T0, finishedAt: null, durationMs: 60_000, attempts: 1 });
  });

  it('shows the error of the last attempt of what is tried again, and of what failed', async () => {
    for (const state of ['retrying', 'failed'] as const) {
      const [item] = (await find({ states: [state] })).items;
      expect(item).toMatchObject({
        errorClass: 'TypeError',
        errorCode: 'E_BOOM',
        errorKind: 'transient',
        workerId: 'w1',
      });
    }
  });

  it.each([
    [{ states: ['running'] }, ['odd:running']],
    [{ states: ['retrying'] }, ['even:retrying']],
    [{ states: ['pending'] }, ['even:pending']],
    [{ states: ['running', 'pending', 'retrying'] }, ['even:pending', 'odd:running', 'even:retrying']],
    [{ states: ['failed', 'succeeded'] }, ['even:failed', 'even:succeeded']],
    [{ states: ['failed', 'running', 'skipped'] }, ['odd:skipped', 'odd:running', 'even:failed']],
    [{ job: 'odd', states: ['skipped', 'running', 'failed'] }, ['odd:skipped', 'odd:running']],
    [{ queue: 'mail' }, ['even:pending']],
    [{ worker: 'w1', job: 'even' }, ['even:retrying', 'even:failed', 'even:succeeded']],
    [{ worker: 'w2' }, []],
    [{ trigger: 'trigger' }, ['even:pending']],
    [{ period: 'failed' }, ['even:failed']],
    [{ fingerprint: 'f1' }, ['even:failed']],
    [{ fingerprint: 'f1', states: ['failed'], job: 'even' }, ['even:failed']],
    [{ fingerprint: 'f2' }, []],
    [{ from: after(-3_000), to: after(-1_000) }, ['odd:canceled', 'even:failed']],
    [{ minDurationMs: 2_000, maxDurationMs: 3_000 }, ['even:succeeded']],
    [{ minDurationMs: 10_000 }, ['odd:running']],
    [{ minAttempts: 1, states: ['pending', 'retrying', 'skipped', 'failed'] }, ['even:retrying', 'even:failed']],
    [{ job: 'nobody' }, []],
  ] as [ExecutionQuery, string[]][])('filters by %o', async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  it("lists a job's own executions by nominal time, newest first", async () => {
    expect(await keys({ job: 'odd' })).toEqual(['odd:errors', 'odd:canceled', 'odd:running', 'odd:skipped']);
    expect(await keys({ job: 'odd', from: after(-5_000), to: after(-1_000) })).toEqual(['odd:canceled', 'odd:running']);
  });

  it.each([
    [{}],
    [{ job: 'odd' }],
    [{ states: ['failed', 'succeeded', 'running', 'skipped'] }],
    [{ states: ['pending', 'running'] }],
  ] as [ExecutionQuery][])('pages through %o without missing or repeating', async (query) => {
    const all = await keys(query);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await find({ ...query, limit: 1, ...(cursor === '' ? {} : { cursor }) });
      expect(page.items).toHaveLength(1);
      paged.push(page.items[0]!.key);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  it('keeps its place when new executions arrive between two pages', async () => {
    const first = await find({ limit: 2 });
    await ledgerOf().insert({ key: 'even:new', jobName: 'even' });
    const second = await find({ limit: 2, cursor: first.nextCursor! });
    expect(second.items.map(({ key }) => key)).toEqual(['odd:running', 'even:retrying']);
  });

  it('refuses a cursor of another filter, and takes one whose states come in another order', async () => {
    const { nextCursor } = await find({ states: ['failed', 'succeeded'], limit: 1 });
    await expect(find({ states: ['failed'], cursor: nextCursor! })).rejects.toThrow(InvalidQueryError);
    await expect(find({ states: ['succeeded', 'failed'], cursor: nextCursor!, limit: 5 })).resolves.toMatchObject({
      items: [{ key: 'even:succeeded' }],
    });
  });
});
