/** What people see of an execution. The first three derive from its work row, the others are recorded outcomes. */
export const EXECUTION_STATES = [
  'pending',
  'running',
  'retrying',
  'succeeded',
  'completed_with_errors',
  'failed',
  'canceled',
  'skipped',
] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];

/** The states in which nothing more happens by itself. */
export const FINAL_STATES = ['succeeded', 'completed_with_errors', 'failed', 'canceled', 'skipped'] as const;
export type FinalState = (typeof FINAL_STATES)[number];

/** How one call of the handler ended. `interrupted` and `deferred` are not counted against `maxAttempts`. */
export const ATTEMPT_OUTCOMES = [
  'succeeded',
  'completed_with_errors',
  'failed',
  'timed_out',
  'lost',
  'canceled',
  'interrupted',
  'deferred',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Why an execution was left out, one by one. */
export const SKIP_REASONS = ['overlap', 'superseded', 'excluded', 'dst-gap', 'deadline'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Why a whole stretch of occurrences was left out. */
export const SKIPPED_RANGE_REASONS = ['catch-up', 'paused', 'disabled', 'orphaned'] as const;
export type SkippedRangeReason = (typeof SKIPPED_RANGE_REASONS)[number];

/** Why a schedule stands still: somebody paused its job, or no instance carried its definition any more. */
export const SUSPENSION_KINDS = ['paused', 'orphaned'] as const;
export type SuspensionKind = (typeof SUSPENSION_KINDS)[number];

/** What made an execution. */
export const TRIGGERS = ['schedule', 'backfill', 'trigger', 'enqueue'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Tells whether nothing more happens by itself in this state. */
export const isFinal = (state: ExecutionState): state is FinalState =>
  (FINAL_STATES as readonly ExecutionState[]).includes(state);
