import { describe, expect, it } from 'vitest';
import { OverlapError } from '../core/errors.js';
import { problemOf } from './problem.js';

describe('problemOf', () => {
  it('answers 409 for an overlap', () => {
    expect(problemOf(new OverlapError('report', '7', 'report:2026-08-14'))).toMatchObject({
      status: 409,
      title: 'Conflict',
      code: 'JOBS_OVERLAP',
      detail: expect.stringContaining('"report:2026-08-14" has not ended'),
    });
  });
});
