import { describe, expect, it } from 'vitest';
import { backgroundJob, scheduledJob } from '../../../../../test/support/engine.js';
import type { DeclaredJob } from './declared-job.js';
import { resolveJobs } from './resolve-jobs.js';

describe('What alerts need to know of a job', () => {
  it('is a time to start within, and a runbook', () => {
    expect(scheduledJob('0 6 * * *').alert).toEqual({ startWithinMs: 900_000, runbook: null });
    const options = { alert: { startWithin: '1h' }, runbook: 'https://wiki/job' };
    expect(scheduledJob('0 6 * * *', options).alert).toEqual({ startWithinMs: 3_600_000, runbook: 'https://wiki/job' });
    expect(backgroundJob({ runbook: 'call ann' }).alert).toEqual({ startWithinMs: null, runbook: 'call ann' });
  });

  it.each([
    [{ alert: { startWithin: '0s' } }, 'alert.startWithin must be a duration between 1s and 30d'],
    [{ alert: { startsWithin: '1m' } }, 'alert.startsWithin is not an option. Did you mean "startWithin"?'],
    [{ alert: '15m' }, 'alert must be an object'],
    [{ runbook: '' }, 'runbook must be a text or URL of 1 to 1000 characters'],
    [{ runbook: 'x'.repeat(1_001) }, 'runbook must be'],
    [{ runbook: 'a\u0000b' }, 'runbook must be'],
  ])('is refused as %j', (options, problem) => {
    expect(() => scheduledJob('0 6 * * *', options)).toThrow(problem);
  });

  it('has no time to start within for a background job', () => {
    expect(() => backgroundJob({ alert: {} })).toThrow('alert is only for @ScheduledJob');
  });
});

describe('Names of the library itself', () => {
  const declared = (options: object): DeclaredJob => ({
    kind: 'background',
    cron: undefined,
    place: 'Jobs.a',
    options,
  });

  it.each([
    [{ name: 'scheduled-jobs.webhook' }],
    [{ name: 'Scheduled-Jobs.x' }],
    [{ name: 'a', aliases: ['scheduled-jobs.x'] }],
  ])('are refused: %j', (options) => {
    expect(() => resolveJobs([declared(options)], { timeZone: null, overrides: {} })).toThrow(
      'names that begin with "scheduled-jobs." are reserved',
    );
  });
});
