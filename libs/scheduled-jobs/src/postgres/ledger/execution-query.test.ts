import { describe, expect, it } from 'vitest';
import { InvalidQueryError } from '../../core/errors.js';
import type { ExecutionQuery } from '../../core/ports/ledger-reader.js';
import { encodeCursor } from './cursor.js';
import { resolveExecutionQuery, splitStates } from './execution-query.js';

const problemsOf = (query: unknown): readonly string[] => {
  try {
    resolveExecutionQuery(query as ExecutionQuery);
    return [];
  } catch (error) {
    return (error as InvalidQueryError).problems;
  }
};

describe('resolveExecutionQuery', () => {
  it('fills in the limit and orders by nominal time only for the own list of a job', () => {
    expect(resolveExecutionQuery({})).toMatchObject({ limit: 50, byScheduledFor: false, after: null });
    expect(resolveExecutionQuery({ job: 'a', from: new Date(0), limit: 200 })).toMatchObject({
      limit: 200,
      byScheduledFor: true,
    });
    expect(resolveExecutionQuery({ job: 'a', queue: 'b' })).toMatchObject({ byScheduledFor: false });
    expect(resolveExecutionQuery({ from: new Date(0) })).toMatchObject({ byScheduledFor: false });
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ limit: 1e9 }, 'limit'],
    [{ limit: Number.NaN }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ states: [] }, 'states'],
    [{ states: ['running', 'sleeping'] }, 'states'],
    [{ states: 'running' }, 'states'],
    [{ trigger: 'cron' }, 'trigger'],
    [{ job: '' }, 'job'],
    [{ period: 'a\u0000' }, 'period'],
    [{ fingerprint: '' }, 'fingerprint'],
    [{ worker: 7 }, 'worker'],
    [{ from: new Date(Number.NaN) }, 'from'],
    [{ to: '2026-01-01' }, 'to'],
    [{ to: new Date('+012026-01-01T00:00:00Z') }, 'to'],
    [{ from: new Date(1_000), to: new Date(0) }, 'from'],
    [{ from: new Date(0), to: new Date(0) }, 'from'],
    [{ minDurationMs: -1 }, 'minDurationMs'],
    [{ minDurationMs: 2, maxDurationMs: 1 }, 'minDurationMs'],
    [{ maxDurationMs: Number.POSITIVE_INFINITY }, 'maxDurationMs'],
    [{ minAttempts: 3_000_000_000 }, 'minAttempts'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ cursor: '' }, 'cursor'],
    [{ cursor: 7 }, 'cursor'],
  ])('refuses %o and says which part', (query, part) => {
    expect(problemsOf(query)).toEqual([expect.stringMatching(new RegExp(`^${part} `))]);
  });

  it.each([
    [{ state: 'failed' }, 'state is not an option. Did you mean "states", a list?'],
    [{ jobName: 'a' }, 'jobName is not an option. Did you mean "job"?'],
    [{ peroid: '2026' }, 'peroid is not an option. Did you mean "period"?'],
    [{ key: 'a:b' }, 'key is not an option'],
    ['failed', 'the options must be an object, got "failed"'],
    [null, 'the options must be an object, got null'],
  ])('refuses what does not filter: %o', (query, problem) => {
    expect(problemsOf(query)).toEqual([problem]);
  });

  it('tells all problems at once', () => {
    expect(problemsOf({ limit: 0, states: ['x'], minAttempts: -1 })).toHaveLength(3);
  });

  it('takes the cursor of the same filter and refuses positions that no page gives', () => {
    const { digest } = resolveExecutionQuery({ job: 'a' });
    const own = (...position: string[]) => ({ job: 'a', cursor: encodeCursor(digest, position) });
    expect(resolveExecutionQuery(own('7', '2026-03-01T12:00:00.000Z')).after).toEqual({
      id: '7',
      scheduledFor: '2026-03-01T12:00:00.000Z',
    });
    for (const position of [
      [],
      ['7'],
      ['x', '2026-03-01T12:00:00.000Z'],
      ['7', '2026-99-99T99:99:99.999Z'],
      ['7', '0000-01-01T00:00:00.000Z'],
      ['7', 'yesterday'],
      ['99999999999999999999', '2026-03-01T12:00:00.000Z'],
    ]) {
      expect(problemsOf(own(...position))).toHaveLength(1);
    }
    expect(problemsOf({ ...own('7', '2026-03-01T12:00:00.000Z'), job: 'b' })).toHaveLength(1);
  });
});

describe('splitStates', () => {
  it('parts what has not ended from what has', () => {
    expect(splitStates(['failed', 'running', 'failed', 'skipped', 'pending'])).toEqual({
      open: ['running', 'pending'],
      ended: ['failed', 'skipped'],
    });
  });
});
