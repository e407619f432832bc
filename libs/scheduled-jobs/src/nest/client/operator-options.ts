import { InvalidRequestError } from '../../core/errors.js';
import { redactText } from '../../core/execution/redaction.js';
import { textProblem } from '../../core/execution/storable-text.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { Clock } from '../../core/ports/clock.js';
import type { OperatorRequest } from '../../core/ports/operator-request.js';

const MAX_ACTOR_LENGTH = 200;
const MAX_REASON_LENGTH = 1_000;
/** Anything but blanks and marks that nobody sees, which say nothing. */
const VISIBLE = /[^\p{C}\p{Z}]/u;

/** Who does something by hand, and why. */
export interface OperatorOptions {
  /** Who asks for it, 1–200 characters. Default null: nobody in particular. */
  readonly actor?: string | null;
  /** Why, 1–1,000 characters. */
  readonly reason: string;
}

/** Who does something to an execution by hand, and why. Secrets in the texts are left out. */
export interface NamedOperatorOptions extends OperatorOptions {
  /** Who asks for it, 1–200 characters; null, which has to be said, = nobody in particular. */
  readonly actor: string | null;
}

/**
 * Reads an operation that needs nothing but who asks for it and why.
 * @param operation What is asked for, such as `pause "daily-report"`.
 * @throws InvalidRequestError with every problem.
 */
export const operatorRequest = (operation: string, options: OperatorOptions, clock: Clock): OperatorRequest => ({
  ...readRequest(operation, options, readOperator),
  now: clock.boundNow(),
});

/** The same of an operation that somebody has to answer for. @throws InvalidRequestError with every problem. */
export const namedOperatorRequest = (
  operation: string,
  options: NamedOperatorOptions,
  clock: Clock,
): OperatorRequest => ({ ...readRequest(operation, options, readNamedOperator), now: clock.boundNow() });

function readRequest(
  operation: string,
  options: OperatorOptions,
  read: typeof readOperator,
): ReturnType<typeof readOperator> {
  const problems: string[] = [];
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(['actor', 'reason']);
  const operator = read(reader);
  if (problems.length > 0) throw new InvalidRequestError(operation, problems);
  return operator;
}

/** Reads `actor` and `reason`, both of which somebody has to give, and notes their problems. */
export function readNamedOperator(reader: OptionReader): { readonly actor: string | null; readonly reason: string } {
  if (reader.raw('actor') === undefined) {
    reader.refuse('actor', `is required: ${textOf(MAX_ACTOR_LENGTH)} that says who asks for it`);
  }
  return readOperator(reader);
}

/** Reads `actor` and `reason`, without secrets, and notes their problems. */
export function readOperator(reader: OptionReader): { readonly actor: string | null; readonly reason: string } {
  const actor = readActor(reader);
  const reason = readReason(reader);
  if (reason === null) reader.refuse('reason', `is required: ${textOf(MAX_REASON_LENGTH)} that says why`);
  return { actor, reason: reason ?? '' };
}

/** Reads `actor`, which nobody has to give, and notes its problem. */
export function readActor(reader: OptionReader): string | null {
  const actor = reader.raw('actor') ?? null;
  if (actor !== null && !isText(actor, MAX_ACTOR_LENGTH)) {
    reader.refuse('actor', `must be ${textOf(MAX_ACTOR_LENGTH)}`);
  }
  return typeof actor === 'string' ? redactText(actor) : null;
}

/** Reads `reason` where nobody has to give one, and notes its problem. */
export function readOptionalReason(reader: OptionReader): string | null {
  const reason = readReason(reader);
  if (reason === null && reader.raw('reason') !== undefined) {
    reader.refuse('reason', `must be ${textOf(MAX_REASON_LENGTH)}`);
  }
  return reason;
}

/** Reads `reason`, without secrets; null = it is none. */
function readReason(reader: OptionReader): string | null {
  const reason = reader.raw('reason');
  return isText(reason, MAX_REASON_LENGTH) && VISIBLE.test(reason) ? redactText(reason) : null;
}

const textOf = (longest: number): string => `a text of 1 to ${longest} characters (without U+0000 and lone surrogates)`;

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longest && textProblem(value) === null;
