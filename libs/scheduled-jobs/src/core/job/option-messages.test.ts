import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../errors.js';
import { resolveJob } from './resolve-job.js';

const problemOf = (kind: 'scheduled' | 'background', options: object): string => {
  const declared = { kind, cron: kind === 'scheduled' ? '@daily' : undefined, place: 'A.run' };
  const { problems } = resolveJob(
    { ...declared, options: { name: 'a', ...options } },
    { timeZone: 'UTC', overrides: {} },
  );
  expect(problems).toHaveLength(1);
  return problems.join();
};

describe('the messages about options', () => {
  it('say what a backoff looks like', () => {
    const problem = problemOf('scheduled', { retry: { backoff: '1m' } });
    expect(problem).toBe('retry.backoff must be a list such as ["1m", "5m"] or { first, factor, max }, got "1m"');
  });

  it.each([
    [{ retry: { jitter: 'some' } }, 'retry.jitter must be one of "none", "equal", "full", got "some"'],
    [
      { retry: { backoff: { first: '1s', jitter: 'full' } } },
      'retry.backoff.jitter is not an option here. Use "retry.jitter"',
    ],
    [{ classify: 'transient' }, 'classify must be a function, got "transient"'],
  ])('say what is wrong with %o', (options, problem) => {
    expect(problemOf('background', options)).toBe(problem);
  });

  it('ask for a class where instances are made', () => {
    expect(problemOf('background', { payload: {} })).toBe('payload must be a class, got an object');
  });

  it('say to which decorator an option belongs', () => {
    expect(problemOf('scheduled', { duplicates: 'ignore' })).toBe('duplicates is only for @BackgroundJob');
    expect(problemOf('background', { timeZone: 'UTC' })).toBe('timeZone is only for @ScheduledJob');
  });
});

describe('InvalidOptionsError', () => {
  it('names the library and shows each problem once', () => {
    const error = new InvalidOptionsError(['first', 'second']);
    expect(error.message).toBe('Invalid options of nestjs-scheduled-jobs:\n- first\n- second');
    expect(error.problems).toEqual(['first', 'second']);
    expect(inspect(error).split('second')).toHaveLength(2);
  });
});
