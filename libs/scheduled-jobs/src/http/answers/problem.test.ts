import { describe, expect, it } from 'vitest';
import { InvalidRequestError, OverlapError, PermanentError } from '../../core/errors.js';
import { ExecutionEndedError, ExecutionHeldError } from '../../core/operation-errors.js';
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

  it.each([new ExecutionEndedError('report:1', 'failed'), new ExecutionHeldError('report:1')])(
    'answers 409 for what an operation finds: $code',
    (error) => {
      expect(problemOf(error)).toMatchObject({ status: 409, code: error.code, detail: error.message });
    },
  );

  it('answers 400 with every problem of a request', () => {
    const error = new InvalidRequestError('cancel "report:1"', ['actor is required', 'reason is required']);
    expect(problemOf(error)).toMatchObject({ status: 400, problems: error.problems });
  });

  it('tells nobody of errors that say nothing to a caller', () => {
    expect(problemOf(new PermanentError('a secret of the handler'))).toMatchObject({
      status: 500,
      code: 'JOBS_INTERNAL',
    });
  });
});
