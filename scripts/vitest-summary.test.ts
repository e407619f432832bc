import { describe, expect, it } from 'vitest';
import { closingLine, summarize } from './vitest-summary.mjs';

const file = (status: string, ...tests: readonly string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});
const report = (...files: ReturnType<typeof file>[]) => ({ testResults: files });

describe('summarize', () => {
  it('counts what passed and what was skipped', () => {
    const summary = summarize(
      report(file('passed', 'passed', 'passed'), file('passed', 'passed', 'pending', 'todo')),
      0,
    );
    expect(summary).toEqual({ passed: 3, failed: 0, skipped: 2 });
  });

  it('counts each failed test of a file once', () => {
    const summary = summarize(report(file('failed', 'failed', 'failed', 'passed')), 1);
    expect(summary).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  it.each([
    ['a file that cannot be loaded', report(file('passed', 'passed'), file('failed')), 1, 1],
    ['a beforeAll that fails', report(file('failed', 'skipped', 'skipped')), 1, 0],
    ['an afterAll that fails', report(file('failed', 'passed')), 1, 1],
    ['an unhandled rejection', report(file('passed', 'passed')), 1, 1],
    ['a test that ends its process', report(file('passed', 'passed')), 1, 1],
    ['a worker that is killed, its file missing from the report', report(), 1, 0],
    ['a filter that matches no file', report(), 1, 0],
    ['a name that matches no test', report(file('passed', 'skipped')), 0, 0],
    ['a global set-up that fails before any report', undefined, 1, 0],
    ['a time limit that ends Vitest before any report', undefined, 143, 0],
  ])('counts %s as one failure', (_, vitestReport, exitCode, passed) => {
    expect(summarize(vitestReport, exitCode)).toMatchObject({ passed, failed: 1 });
  });
});

describe('closingLine', () => {
  it('names skipped tests only if there are some', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });
});
