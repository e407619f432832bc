import { describe, expect, it } from 'vitest';
import { executionKey, keyProblem, manualKey } from './execution-key.js';

describe('execution keys', () => {
  it('join the job and its period', () => {
    expect(executionKey('daily-report', '2026-08-14')).toBe('daily-report:2026-08-14');
    expect(manualKey('daily-report', '7')).toBe('daily-report:manual:7');
  });

  it('allow 1 to 300 characters, colons included', () => {
    expect(keyProblem('project-7:3')).toBeNull();
    expect(keyProblem('x'.repeat(300))).toBeNull();
  });

  it.each(['', 'x'.repeat(301), 'a\u0000', '\udfff', 'id:5', 'manual:5', 7, null])('refuse %j', (key) => {
    expect(keyProblem(key)).toMatch(/^the key /);
  });
});
