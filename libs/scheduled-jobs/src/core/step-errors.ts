import { PermanentError } from './errors.js';

/**
 * A step has done its work, but its result cannot be stored. The execution fails at once, because the next attempt would
 * have to do the work again.
 */
export class StepResultError extends PermanentError {
  override readonly code = 'JOBS_STEP_RESULT';
  constructor(
    readonly stepName: string,
    problem: string,
  ) {
    super(
      `The step "${stepName}" has done its work, but cannot be remembered. ${problem} Let it return little, such as an id or a place, then replay the execution: the step is done again, with the same idempotency key.`,
    );
  }
}
