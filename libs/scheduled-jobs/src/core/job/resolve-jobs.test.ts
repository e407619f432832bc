import { describe, expect, it } from 'vitest';
import { DuplicateJobError, InvalidOptionsError } from '../errors.js';
import type { DeclaredJob } from './declared-job.js';
import { resolveJobs } from './resolve-jobs.js';

const DEFAULTS = { timeZone: 'Europe/Berlin', overrides: {} };

const scheduled = (options: object, declared: Partial<DeclaredJob> = {}): DeclaredJob => ({
  kind: 'scheduled',
  cron: '0 6 * * *',
  options: { name: 'daily-report', ...options },
  place: 'Reports.daily',
  ...declared,
});
const background = (options: object): DeclaredJob => ({
  kind: 'background',
  cron: undefined,
  options: { name: 'export', ...options },
  place: 'Exports.run',
});

function problemsOf(jobs: readonly DeclaredJob[], defaults: object = {}): readonly string[] {
  try {
    resolveJobs(jobs, { ...DEFAULTS, ...defaults });
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    throw error;
  }
  return [];
}

describe('resolveJobs', () => {
  it('fills in the defaults of a scheduled job', () => {
    expect(resolveJobs([scheduled({})], DEFAULTS)[0]).toMatchObject({
      queue: 'default',
      priority: 0,
      overlap: 'queue',
      concurrency: 1,
      timeoutMs: 3_600_000,
      abortGraceMs: 30_000,
      leaseMs: 30_000,
      heartbeatMs: 10_000,
      retry: {
        maxAttempts: 4,
        backoff: { kind: 'list', delaysMs: [60_000, 300_000, 900_000] },
        jitter: 'equal',
        deadlineMs: 86_400_000,
        retryAfterMaxMs: 3_600_000,
      },
      schedule: { catchUp: { policy: 'all', windowMs: 86_400_000, limit: 1_000, graceMs: 60_000, maxPerMinute: null } },
    });
  });

  it('lets background jobs run side by side unless they have a concurrency key or a concurrency', () => {
    expect(resolveJobs([background({})], DEFAULTS)[0]).toMatchObject({ overlap: 'allow', schedule: null });
    expect(resolveJobs([background({ concurrencyKey: () => 'k' })], DEFAULTS)[0]).toMatchObject({ overlap: 'queue' });
    expect(resolveJobs([background({ concurrency: 2 })], DEFAULTS)[0]).toMatchObject({ overlap: 'queue' });
    expect(resolveJobs([background({ concurrency: 2, overlap: 'allow' })], DEFAULTS)[0]).toMatchObject({
      overlap: 'allow',
    });
  });

  it('lets configuration win over the decorator', () => {
    const overrides = { 'daily-report': { cron: '0 7 * * *', timeZone: 'Asia/Shanghai', timeout: '5m' } };
    const [job] = resolveJobs([scheduled({ timeout: '1m' })], { ...DEFAULTS, overrides });
    expect(job?.timeoutMs).toBe(300_000);
    expect(job?.schedule?.expression).toBe('0 7 * * *');
    expect(job?.schedule?.definition.timeZone).toBe('Asia/Shanghai');
  });

  it('keeps what an override leaves undefined, also inside retry and catchUp', () => {
    const own = { disabled: true, retry: { maxAttempts: 1, backoff: ['7s'] }, catchUp: { policy: 'latest', limit: 5 } };
    const override = { disabled: undefined, retry: { maxAttempts: 2, backoff: undefined }, catchUp: { limit: 7 } };
    const [job] = resolveJobs([scheduled(own)], { ...DEFAULTS, overrides: { 'daily-report': override } });
    expect(job).toMatchObject({
      disabled: true,
      retry: { maxAttempts: 2, backoff: { kind: 'list', delaysMs: [7_000] } },
      schedule: { catchUp: { policy: 'latest', limit: 7 } },
    });
  });

  it('reports every mistake of every job, each with class and method', () => {
    const problems = problemsOf([
      scheduled({ timeout: 'soon', retry: { maxAttempts: 0 } }, { cron: undefined }),
      background({ queue: 'a:b' }),
    ]);
    expect(problems).toHaveLength(4);
    expect(problems.filter((p) => p.startsWith('Reports.daily (@ScheduledJob "daily-report"): '))).toHaveLength(3);
    expect(problems[3]).toContain('Exports.run (@BackgroundJob "export"): queue must be');
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null])('refuses maxAttempts %s', (maxAttempts) => {
    expect(problemsOf([scheduled({ retry: { maxAttempts } })])).toEqual([
      expect.stringContaining('retry.maxAttempts must be a whole number from 1 to 1000'),
    ]);
  });

  it.each(['-1s', '1', '1.5s', 's', '', 5, Number.NaN, '999ms', '11m'])('refuses the lease %s', (lease) => {
    expect(problemsOf([scheduled({ lease })])).toEqual([expect.stringContaining('lease must be a duration')]);
  });

  it('refuses a heartbeat longer than a third of the lease', () => {
    expect(problemsOf([scheduled({ lease: '3s', heartbeat: '2s' })])).toEqual([
      expect.stringContaining('heartbeat must be a duration between 100ms and 1s'),
    ]);
  });

  it.each(['a:b', '', 'ä', '-a', 'a b', 'x'.repeat(101)])('refuses the name "%s"', (name) => {
    expect(problemsOf([scheduled({ name })])[0]).toContain('name must be 1–100 letters');
  });

  it('refuses a schedule without any time zone', () => {
    expect(problemsOf([scheduled({})], { timeZone: null })).toEqual([
      expect.stringContaining('timeZone is required, for the job or for the module'),
    ]);
  });

  it.each(['Mars/Olympus', '+08:00', 'UTC+8', 'Europe/Berlin '])('refuses the time zone "%s"', (timeZone) => {
    expect(problemsOf([scheduled({ timeZone })])[0]).toContain(timeZone);
  });

  it.each([undefined, '', null, 5])('refuses the cron expression %s', (cron) => {
    expect(problemsOf([scheduled({}, { cron })])[0]).toContain('cron must be a cron expression');
  });

  it('suggests the option that was probably meant', () => {
    expect(problemsOf([scheduled({ timeuot: '1s' })])[0]).toContain('Did you mean "timeout"?');
  });

  it('names what replaces an option of @Cron', () => {
    const [problem] = problemsOf([scheduled({ waitForCompletion: true })]);
    expect(problem).toContain("overlap: 'skip'");
  });

  it.each(['queue', 'queue-latest', 'skip', 'replace', 'allow'])('takes the overlap policy %s', (overlap) => {
    expect(resolveJobs([scheduled({ overlap })], DEFAULTS)[0]).toMatchObject({ overlap });
  });

  it('refuses an overlap policy that there is not', () => {
    expect(problemsOf([scheduled({ overlap: 'wait' })])[0]).toContain('overlap must be one of "queue", "queue-latest"');
  });

  it('paces at most as many late periods as one tick plans', () => {
    expect(problemsOf([scheduled({ catchUp: { maxPerMinute: 60, limit: 10_000 } })])).toEqual([]);
    expect(problemsOf([scheduled({ catchUp: { maxPerMinute: 60, limit: 10_001 } })])[0]).toContain('at most 10000');
  });

  it('refuses a startAt that depends on the time zone of the process', () => {
    expect(problemsOf([scheduled({ startAt: '2026-01-01T00:00:00' })])[0]).toContain('startAt must be a Date');
    expect(problemsOf([scheduled({ startAt: '2026-01-01T00:00:00+02:00' })])).toEqual([]);
  });

  it('refuses one name for two methods, also when only the case differs', () => {
    const twins = [scheduled({}, { place: 'A.run' }), scheduled({ name: 'Daily-Report' }, { place: 'B.run' })];
    expect(() => resolveJobs(twins, DEFAULTS)).toThrow(DuplicateJobError);
    expect(() => resolveJobs(twins, DEFAULTS)).toThrow(/A\.run.*B\.run/);
  });

  it('takes earlier names as they are written, and none by default', () => {
    expect(resolveJobs([background({})], DEFAULTS)[0]?.aliases).toEqual([]);
    expect(resolveJobs([background({ aliases: ['older', 'old'] })], DEFAULTS)[0]?.aliases).toEqual(['older', 'old']);
  });

  it.each([
    ['a name alone', 'old', ['must be a list of the job\'s earlier names, got "old"']],
    ['something that is no name', ['a:b'], [expect.stringMatching(/^contains "a:b", which is no job name: 1–100 let/)]],
    ['something that is no text', [5], [expect.stringMatching(/^contains 5, which is no job name/)]],
    ['one name twice', ['old', 'new', 'old', 'old'], ['contains "old" twice']],
    ['a name that differs only in case', ['old', 'OLD'], ['contains "old" and "OLD": they are one name']],
    ["the job's own name", ['Export'], ['contains the job\'s own name "Export"']],
    ['more than ten', Array.from({ length: 11 }, (_, n) => `old-${n}`), ['has 11 names, more than 10']],
    ['several faults', ['export', 'old', 'old'], ['contains the job\'s own name "export"', 'contains "old" twice']],
  ])('refuses %s as earlier names', (_name, aliases, faults: readonly unknown[]) => {
    const own = problemsOf([background({ aliases })]).map((problem) => problem.replace(/^.*: aliases /, ''));
    expect(own).toEqual(faults);
  });

  it.each([
    ['the name', { name: 'Daily-Report', aliases: [] }],
    ['an earlier name', { aliases: ['daily', 'DAILY-report'] }],
  ])('refuses an earlier name that is also %s of another job', (_name, options) => {
    const jobs = [scheduled({ name: 'summary', aliases: ['daily-report'] }), background(options)];
    expect(() => resolveJobs(jobs, DEFAULTS)).toThrow(DuplicateJobError);
    expect(() => resolveJobs(jobs, DEFAULTS)).toThrow(/Reports\.daily \(as an alias of "summary"\) and Exports\.run/);
  });

  it('refuses an override of a job that does not exist', () => {
    expect(problemsOf([scheduled({})], { overrides: { 'daily-reprot': {} } })).toEqual([
      'jobs.daily-reprot: there is no job of this name. Did you mean "daily-report"?',
    ]);
  });
});
