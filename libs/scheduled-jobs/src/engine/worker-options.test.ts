import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../core/errors.js';
import { resolveWorkerOptions, WORKER_DEFAULTS } from './worker-options.js';

const problems = (options: object): readonly string[] => {
  try {
    resolveWorkerOptions(options);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    throw error;
  }
  return [];
};

describe('resolveWorkerOptions', () => {
  it('fills in the defaults', () => {
    expect(resolveWorkerOptions()).toEqual(WORKER_DEFAULTS);
    expect(resolveWorkerOptions({ queues: ['a', 'b', 'a'] }).queues).toEqual(['a', 'b']);
  });

  it('refuses all that cannot work, at once, with a suggestion for a misspelt name', () => {
    const wrong = { concurrency: 0, pollIntervalMs: Number.NaN, shutdownTimeoutMs: -1, queues: [], concurency: 3 };
    expect(problems(wrong)).toEqual([
      'worker.concurency is not an option. Did you mean "concurrency"?',
      'worker.concurrency must be a whole number from 1 to 1000, got 0',
      expect.stringContaining('worker.queues must list queue names'),
      'worker.pollIntervalMs must be a whole number from 10 to 600000, got NaN',
      'worker.shutdownTimeoutMs must be a whole number from 0 to 3600000, got -1',
    ]);
  });
});
