import { describe, expect, it } from 'vitest';
import { PermanentError, RetryLaterError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { useWorkers } from '../support/test-workers.js';

describe('The end of an attempt', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  it('records success with the result, and one attempt', async () => {
    const worker = await startWorker({ job: (run) => ({ key: run.key, payload: run.payload }) });
    const ended = await worker.run('job', { key: 'job:a', payload: '{"n":1}' });
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 1, result: { key: 'job:a', payload: { n: 1 } } });
    expect(await worker.attempts(ended.id)).toEqual([{ outcome: 'succeeded', attempt: 1, error_message: null }]);
    await worker.recorder.next('execution.ended');
    expect(worker.recorder.of('execution.ended')).toMatchObject([{ key: 'job:a', job: 'job', state: 'succeeded' }]);
  });

  it('calls a failing handler as often as maxAttempts says, then fails', async () => {
    let calls = 0;
    const handler = () => {
      calls++;
      throw new Error(`call ${calls}`);
    };
    const worker = await startWorker({ job: { handler, retry: { maxAttempts: 3, backoff: ['10ms'] } } });
    const ended = await worker.run('job');
    expect(ended).toMatchObject({ state: 'failed', attempts: 3, error_class: 'Error', reason: null });
    expect(calls).toBe(3);
    expect(await worker.attempts(ended.id)).toEqual([
      { outcome: 'failed', attempt: 1, error_message: 'call 1' },
      { outcome: 'failed', attempt: 2, error_message: 'call 2' },
      { outcome: 'failed', attempt: 3, error_message: 'call 3' },
    ]);
  });

  it('runs other executions in its slot while one waits for its retry', async () => {
    const fail = () => {
      throw new Error('x');
    };
    const worker = await startWorker(
      { bad: { handler: fail, retry: { backoff: ['1h'] } }, good: () => 'done' },
      { concurrency: 1 },
    );
    await worker.enqueue('bad');
    await worker.recorder.next('execution.retrying');
    expect(await worker.run('good')).toMatchObject({ state: 'succeeded' });
  });

  it('fails at once for a PermanentError', async () => {
    const worker = await startWorker({
      job: () => {
        throw new Error('outer', { cause: new PermanentError('never') });
      },
    });
    expect(await worker.run('job')).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it('fails because of the deadline when the next attempt would be too late', async () => {
    const handler = () => {
      throw new Error('x');
    };
    const worker = await startWorker({ job: { handler, retry: { backoff: ['1h'], deadline: '30m' } } });
    expect(await worker.run('job')).toMatchObject({ state: 'failed', attempts: 1, reason: 'deadline' });
  });

  it('defers as often as a handler asks, without counting', async () => {
    let calls = 0;
    const handler = () => {
      if (++calls < 3) throw new RetryLaterError('not now', { retryAfter: 1 });
    };
    const worker = await startWorker({ job: { handler, retry: { maxAttempts: 1 } } });
    const ended = await worker.run('job');
    expect(ended).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect((await worker.attempts(ended.id)).map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
      ['deferred', 1],
      ['deferred', 1],
      ['succeeded', 1],
    ]);
  });

  it('records whatever a handler throws with a text, and stays alive', async () => {
    // Made when it is thrown: a promise that was rejected before would be an unhandled rejection of the test.
    const things: readonly (() => unknown)[] = [
      () => 'x',
      () => null,
      () => undefined,
      () => 0,
      () => false,
      () => 10n,
      () => Symbol('s'),
      () => ({}),
      () => [],
      () => () => 1,
      () => Promise.reject(new Error('inner')),
      () => Object.create(null),
      () => Object.freeze(new Error('cold')),
      () => new Error('y'.repeat(10_000_000)),
      () => new Error('\0\uD800'),
    ];
    const handler = (run: { readonly payload: unknown }) => {
      throw things[run.payload as number]!();
    };
    const worker = await startWorker({ job: { handler, retry: { maxAttempts: 1 } } });
    const ids = await worker.enqueue('job', ...things.map((_, index) => ({ payload: String(index) })));
    for (const id of ids) {
      expect(await worker.ended(id)).toMatchObject({
        state: 'failed',
        error_class: expect.stringMatching(/./) as string,
      });
      expect(await worker.attempts(id)).toEqual([
        { outcome: 'failed', attempt: 1, error_message: expect.stringMatching(/./) as string },
      ]);
    }
    const sizes = await ledger().row<{ largest: number }>(
      'select max(octet_length(error_message) + octet_length(error_stack)) as largest from attempts',
    );
    expect(sizes.largest).toBeLessThanOrEqual(65_536);
  });

  it.each([
    [
      'circular',
      (): unknown => {
        const list: unknown[] = [];
        list.push(list);
        return list;
      },
    ],
    ['a bigint', () => 1n],
    ['a function', () => () => 1],
    ['too large', () => 'x'.repeat(300_000)],
    ['unstorable', () => ({ text: '\0' })],
  ])('succeeds without a result that is %s, and says why', async (_, result) => {
    const worker = await startWorker({ job: () => result() });
    expect(await worker.run('job')).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      result: null,
      result_note: expect.stringContaining('not stored') as string,
    });
  });

  it('fails at once when the stored payload does not fit, without calling the handler', async () => {
    let calls = 0;
    const readPayload = () => Promise.reject(new Error('projectId must be a string'));
    const worker = await startWorker({ job: () => calls++ }, { readPayload });
    const ended = await worker.run('job', { payload: '{}' });
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, error_code: 'JOBS_PAYLOAD_INVALID' });
    expect((await worker.attempts(ended.id))[0]?.error_message).toContain('projectId must be a string');
    expect(calls).toBe(0);
  });

  describe('after a timeout', () => {
    it('is timed out when the handler settles within its grace, and is tried again', async () => {
      const reasons: unknown[] = [];
      const handler = async (run: { readonly signal: AbortSignal }) => {
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        reasons.push(run.signal.reason);
        return 'late';
      };
      const worker = await startWorker({
        job: { handler, timeout: '50ms', retry: { maxAttempts: 2, backoff: ['10ms'] } },
      });
      const ended = await worker.run('job');
      expect(ended).toMatchObject({ state: 'failed', attempts: 2, result: 'late', error_code: 'JOBS_ATTEMPT_TIMEOUT' });
      expect((await worker.attempts(ended.id)).map(({ outcome }) => outcome)).toEqual(['timed_out', 'timed_out']);
      expect(reasons).toMatchObject([{ code: 'JOBS_ATTEMPT_TIMEOUT' }, { code: 'JOBS_ATTEMPT_TIMEOUT' }]);
    });

    it('is recorded after the grace when the handler goes on, and the slot stays taken until it settles', async () => {
      const end = gate();
      const job = { handler: () => end.passed, timeout: '50ms', abortGrace: '50ms', retry: { maxAttempts: 1 } };
      const worker = await startWorker({ job, other: () => 'done' }, { concurrency: 1 });
      const ended = await worker.run('job');
      expect(ended).toMatchObject({ state: 'failed', error_code: 'JOBS_ATTEMPT_TIMEOUT', result: null });
      expect(worker.recorder.of('attempt.abandoned')).toMatchObject([{ abortGraceMs: 50 }]);
      expect(worker.worker.runningCount).toBe(1);
      const [other] = await worker.enqueue('other');
      await eventually(async () => (await ledger().sql(`select 1 from work where phase = 'ready'`)).length === 1);
      end.open();
      expect(await worker.ended(other!)).toMatchObject({ state: 'succeeded' });
    });
  });

  it('is canceled when somebody asked for it, its result kept as information, and is not tried again', async () => {
    const handler = async (run: { readonly signal: AbortSignal }) => {
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      return run.signal.reason instanceof Error ? (run.signal.reason as Error & { code: string }).code : null;
    };
    const worker = await startWorker({ job: handler });
    const [id] = await worker.enqueue('job');
    await worker.recorder.next('attempt.started');
    await ledger().sql('update work set cancel_requested_at = now()');
    expect(await worker.ended(id!)).toMatchObject({
      state: 'canceled',
      attempts: 1,
      result: 'JOBS_EXECUTION_CANCELED',
    });
  });
});
