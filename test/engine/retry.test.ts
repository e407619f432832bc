import { describe, expect, it } from 'vitest';
import { RetryLaterError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { useLedger } from '../support/ledger-tests.js';
import { useWorkers } from '../support/test-workers.js';

/** An answer of another system, as clients that throw on it throw it. */
const answered = (status: number, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`answered ${status}`), { response: { status, headers: new Headers(headers) } });

describe('The retry of an execution', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);
  const throwing = (error: unknown, options: object = {}) => ({
    job: {
      handler: () => {
        throw error;
      },
      ...options,
    },
  });
  const kinds = async (id: string) =>
    (
      await ledger().sql<{ error_kind: string }>(
        `select error_kind from attempts where execution_id = $1 order by lease_token`,
        [id],
      )
    ).map(({ error_kind: kind }) => kind);

  it.each([1, 3])('comes until the handler was called %i time(s)', async (maxAttempts) => {
    const worker = await startWorker(throwing(new Error('x'), { retry: { maxAttempts, backoff: ['1ms'] } }));
    const { id, attempts } = await worker.run('job');
    expect(attempts).toBe(maxAttempts);
    expect(await kinds(id)).toEqual(Array.from({ length: maxAttempts }, () => 'transient'));
  });

  it('does not come for an error that is permanent by itself', async () => {
    const worker = await startWorker(throwing(new Error('outer', { cause: answered(404) })));
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, reason: null });
    expect(await kinds(id)).toEqual(['permanent']);
    expect(await ledger().row('select error_kind from outcomes')).toEqual({ error_kind: 'permanent' });
    await worker.recorder.next('attempt.finished');
    expect(worker.recorder.of('attempt.finished')).toMatchObject([{ outcome: 'failed', errorKind: 'permanent' }]);
  });

  it('does not come for a violated constraint of the database', async () => {
    const worker = await startWorker({ job: () => ledger().sql(`insert into jobs (name) values (null)`) });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, error_code: '23502' });
    expect(await kinds(id)).toEqual(['permanent']);
  });

  it('comes for a server that cannot be reached', async () => {
    const worker = await startWorker({
      job: { handler: () => fetch('http://127.0.0.1:1'), retry: { maxAttempts: 2, backoff: ['1ms'] } },
    });
    const { id, attempts } = await worker.run('job');
    expect(attempts).toBe(2);
    expect(await kinds(id)).toEqual(['transient', 'transient']);
  });

  it('waits for as long as a Retry-After says, and the call does not count', async () => {
    let calls = 0;
    const handler = () => {
      if (++calls === 1) throw answered(429, { 'Retry-After': '1' });
    };
    const worker = await startWorker({ job: { handler, retry: { maxAttempts: 1 } } });
    const { id, ...ended } = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(await worker.attempts(id)).toMatchObject([{ outcome: 'deferred' }, { outcome: 'succeeded' }]);
    expect(await kinds(id)).toEqual(['throttled', null]);
    const waited = `
      select extract(epoch from max(started_at) - min(finished_at)) >= 1 as waited from attempts where execution_id = $1`;
    expect(await ledger().row(waited, [id])).toEqual({ waited: true });
  });

  it('waits no longer than retryAfterMax', async () => {
    const options = { retry: { retryAfterMax: '10m', deadline: '1d' } };
    const worker = await startWorker(throwing(answered(503, { 'Retry-After': '7200' }), options));
    await worker.enqueue('job');
    await worker.recorder.next('execution.retrying');
    expect(
      await ledger().row(`
        select extract(epoch from w.run_at - a.finished_at)::int as seconds, w.attempt
        from work w join attempts a using (execution_id)`),
    ).toEqual({ seconds: 600, attempt: 0 });
  });

  it('goes by what the job says of an error', async () => {
    const classify = (error: unknown) => (error instanceof RangeError ? ('permanent' as const) : undefined);
    const worker = await startWorker({
      ...throwing(new RangeError('x'), { classify }),
      other: {
        classify,
        retry: { maxAttempts: 2, backoff: ['1ms'] },
        handler: () => {
          throw new Error('x');
        },
      },
    });
    expect(await worker.run('job')).toMatchObject({ state: 'failed', attempts: 1 });
    expect(await worker.run('other')).toMatchObject({ state: 'failed', attempts: 2 });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
      'threw: no idea',
    ],
    ['gives NaN', () => Number.NaN, 'gave NaN'],
    ['gives −5', () => -5, 'gave -5'],
    ['gives "10"', () => '10', 'gave "10"'],
    ['gives a rejected promise', () => Promise.reject(new Error('x')), 'gave an object'],
  ])('goes by the default, with a warning, when classify %s', async (_, classify, complaint) => {
    const retry = { maxAttempts: 2, backoff: ['1ms'] };
    const worker = await startWorker(throwing(new Error('x'), { classify, retry }));
    expect(await worker.run('job')).toMatchObject({ state: 'failed', attempts: 2 });
    const [warning] = worker.recorder.of('configuration.warned');
    expect(warning?.message).toMatch(/^classify of the job "job" .*The default is used instead\.$/);
    expect(warning?.message).toContain(complaint);
  });

  it('numbers the calls that count, and an uncounted one like the next', async () => {
    let calls = 0;
    const handler = () => {
      calls++;
      if (calls === 2) throw new RetryLaterError('x', { retryAfter: 1 });
      if (calls < 4) throw new Error('x');
    };
    const worker = await startWorker({ job: { handler, retry: { maxAttempts: 3, backoff: ['1ms'] } } });
    const { id, attempts } = await worker.run('job');
    expect(attempts).toBe(3);
    expect((await worker.attempts(id)).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'failed'],
      [2, 'deferred'],
      [2, 'failed'],
      [3, 'succeeded'],
    ]);
  });

  it('has its whole timeout, however long ago the first attempt was', async () => {
    const threeDays = 3 * 86_400_000;
    const longAgo = new Date(Date.now() - threeDays);
    let calls = 0;
    const handler = () => {
      if (++calls === 1) throw new Error('x');
      return 'done';
    };
    const retry = { maxAttempts: 2, backoff: ['1h'] };
    const worker = await startWorker({ job: { handler, timeout: '60s', retry } });
    const [id] = await worker.enqueue('job', { scheduledFor: longAgo });
    await worker.recorder.next('execution.retrying');
    await ledger().sql(
      `update work set run_at = now(), first_started_at = first_started_at - interval '3 days' where execution_id = $1`,
      [id],
    );
    expect(await worker.ended(id!)).toMatchObject({ state: 'succeeded', attempts: 2, result: 'done' });
    expect(await ledger().row(`select now() - first_started_at > interval '2 days' as kept from outcomes`)).toEqual({
      kept: true,
    });
  });
});
