import { describe, expect, it } from 'vitest';
import { auditJob } from './audit.mjs';
import { auditTable, percentile } from './audit-table.mjs';

const at = (ms: number) => new Date(1_700_000_000_000 + ms);

const execution = (key: string, changes: object = {}) => ({
  job: 'points',
  key,
  trigger: 'schedule',
  createdAt: at(0),
  state: 'succeeded',
  startableAt: at(0),
  firstStartedAt: at(20),
  finishedAt: at(120),
  successfulAttempts: 1,
  ...changes,
});

describe('auditJob', () => {
  it('is content when each key ended well once', () => {
    const executions = [execution('points:1'), execution('points:2', { state: 'completed_with_errors' })];
    expect(auditJob('points', ['points:1', 'points:2'], executions)).toEqual({
      job: 'points',
      expected: 2,
      executed: 2,
      missing: 0,
      duplicates: 0,
      durationsMs: [100, 100],
      startDelaysMs: [20, 20],
      problems: [],
    });
  });

  it('misses a key without an execution', () => {
    const audit = auditJob('points', ['points:1', 'points:2'], [execution('points:1')]);
    expect(audit).toMatchObject({ expected: 2, executed: 1, missing: 1, problems: ['points:2: no execution'] });
  });

  it.each(['failed', 'canceled', 'skipped', 'pending', 'running', 'retrying'])('misses a key that is %s', (state) => {
    const audit = auditJob('points', ['points:1'], [execution('points:1', { state, successfulAttempts: 0 })]);
    expect(audit).toMatchObject({ executed: 0, missing: 1, problems: [`points:1: ${state}`] });
  });

  it('finds a key with two executions', () => {
    const audit = auditJob('points', ['points:1'], [execution('points:1'), execution('points:1')]);
    expect(audit).toMatchObject({ executed: 1, missing: 0, duplicates: 2 });
    expect(audit.problems).toEqual(['points:1: ended well 2 times (succeeded, succeeded)']);
  });

  it('finds an execution with two successful attempts', () => {
    const audit = auditJob('points', ['points:1'], [execution('points:1', { successfulAttempts: 2 })]);
    expect(audit).toMatchObject({ duplicates: 1, problems: ['points:1: ended well 2 times (succeeded)'] });
  });

  it('finds an execution that nothing asked for', () => {
    const audit = auditJob('points', [], [execution('points:1')]);
    expect(audit).toMatchObject({ expected: 0, problems: ['points:1: nothing asked for it'] });
  });
});

describe('auditTable', () => {
  it('shows one job a line, and a dash where nothing was expected or measured', () => {
    const measured = auditJob('points', ['points:1'], [execution('points:1', { finishedAt: at(5_020) })]);
    const table = auditTable([measured, auditJob('daily-report', [], [])]);
    expect(table.split('\n')).toEqual([
      'job           expected  executed  missing  duplicates  duration p50    p95  start delay p50    p95',
      'points               1         1        0           0         5.0 s  5.0 s            20 ms  20 ms',
      'daily-report         –         –        –           –             –      –                –      –',
    ]);
  });
});

describe('percentile', () => {
  it('is the smallest value that the share of the values does not exceed', () => {
    const values = [30, 10, 20, 40];
    expect([0.25, 0.5, 0.51, 0.95].map((share) => percentile(values, share))).toEqual([10, 20, 30, 40]);
    expect(percentile([], 0.5)).toBeUndefined();
  });
});
