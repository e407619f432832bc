import { describe, expect, it } from 'vitest';
import { EventRecorder } from '../../../../test/support/engine.js';
import type { PruneRequest, PruneStep, RetentionStore } from '../core/ports/retention-store.js';
import { Pruner } from './pruner.js';

const AT = new Date('2026-03-01T12:00:00Z');
const after = (executionId: number) => ({ scheduledFor: AT, executionId: String(executionId) });

/** Jobs with so many executions each; every step removes one and keeps 999. */
function setUp(jobs: Record<string, number>, { stepMs = 1, fails = (_: PruneRequest): boolean => false } = {}) {
  const recorder = new EventRecorder();
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs, boundNow: () => AT };
  const requests: PruneRequest[] = [];
  const store: RetentionStore = {
    jobNames: () => Promise.resolve(Object.keys(jobs)),
    prune: async (request): Promise<PruneStep> => {
      requests.push(request);
      clock.nowMs += stepMs;
      if (fails(request)) throw new Error(`no ${request.jobName}`);
      const end = Number(request.after?.executionId ?? 0) + request.limit;
      return { removed: 1, next: end < (jobs[request.jobName] ?? 0) ? after(end) : null };
    },
  };
  const pruner = new Pruner({ store, clock, emit: recorder.emit });
  const run = (signal = new AbortController().signal) => pruner.run(signal);
  return { run, requests, recorder, clock };
}

describe('Pruner', () => {
  it('walks over the executions of each job in steps and tells how many went', async () => {
    const { run, requests, recorder } = setUp({ a: 2_500, b: 10 });
    expect(await run()).toEqual({ removed: 4, hasMore: false, failures: [] });
    expect(requests.map(({ jobName, after }) => [jobName, after?.executionId ?? null])).toEqual([
      ['a', null],
      ['a', '1000'],
      ['a', '2000'],
      ['b', null],
    ]);
    expect(requests[0]).toMatchObject({ limit: 1_000, now: AT });
    expect(recorder.events).toEqual([
      { type: 'executions.pruned', job: 'a', count: 3 },
      { type: 'executions.pruned', job: 'b', count: 1 },
    ]);
  });

  it('breaks a long walk off for the other jobs and goes on there in the next pass', async () => {
    const { run, requests } = setUp({ a: 12_000, b: 10 });
    expect(await run()).toMatchObject({ removed: 11, hasMore: true });
    expect(requests.at(-1)).toMatchObject({ jobName: 'b' });
    expect(await run()).toMatchObject({ removed: 3, hasMore: false });
    const walked = requests.filter(({ jobName }) => jobName === 'a').map(({ after }) => after?.executionId ?? null);
    expect(walked).toEqual([null, ...Array.from({ length: 11 }, (_, n) => `${(n + 1) * 1_000}`)]);
  });

  it('begins anew when a walk is through', async () => {
    const { run, requests } = setUp({ a: 10 });
    await run();
    await run();
    expect(requests.map(({ after }) => after)).toEqual([null, null]);
  });

  it('rests after a walk that was not quick, twenty times as long as it took, over all its passes', async () => {
    const { run, requests, clock } = setUp({ a: 12_000 }, { stepMs: 100 });
    await run();
    await run();
    expect(requests).toHaveLength(12);
    clock.nowMs += 20 * 1_200 - 1;
    expect(await run()).toEqual({ removed: 0, hasMore: false, failures: [] });
    clock.nowMs += 1;
    expect(await run()).toMatchObject({ removed: 10 });
  });

  it('goes on with the other jobs when one fails, and does not ask for it again at once', async () => {
    const { run, recorder } = setUp(
      { a: 12_000, b: 10 },
      { fails: ({ jobName, after }) => jobName === 'a' && after?.executionId === '2000' },
    );
    const summary = await run();
    expect(summary).toMatchObject({ removed: 3, hasMore: false, failures: [{ jobName: 'a' }] });
    expect(recorder.events).toEqual([
      { type: 'executions.pruned', job: 'a', count: 2 },
      { type: 'executions.pruned', job: 'b', count: 1 },
    ]);
  });

  it('stops between two steps when its signal aborts', async () => {
    const lost = new AbortController();
    const { run, requests } = setUp(
      { a: 12_000, b: 10 },
      {
        fails: () => {
          if (requests.length === 2) lost.abort();
          return false;
        },
      },
    );
    expect(await run(lost.signal)).toMatchObject({ removed: 2 });
    expect(requests).toHaveLength(2);
  });
});
