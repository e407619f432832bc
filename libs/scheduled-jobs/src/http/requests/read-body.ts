import { InvalidRequestError } from '../../core/errors.js';
import { nearest } from '../../core/job/nearest-name.js';
import { validateAs } from '../../nest/jobs/class-validation.js';
import { ProblemException } from '../answers/problem.js';
import { membersOf, type ApiRequest } from './read-query.js';

/** A payload of 1 MiB, and what stands beside it. */
const MAX_BODY = 1_100_000;

/** What a class has rules for, in a plain object. */
export type Members<T> = { readonly [Name in keyof T]: T[Name] };

/** A body that was checked. */
interface CheckedBody<T> {
  readonly members: Members<T>;
  /** The same as JSON text. */
  readonly text: string;
}

/**
 * Reads the body of an action by the rules of a class, itself, so that a ValidationPipe of the application has no say in it.
 * `payload` is left as it was sent: its job's own rules are for it.
 * @param operation What is asked for, such as `cancel "report:1"`.
 * @throws InvalidRequestError that lists every problem, members that do not exist included; ProblemException when the
 * body is too large.
 */
export async function readBody<T extends object>(
  type: new () => T,
  { body }: ApiRequest,
  operation: string,
): Promise<CheckedBody<T>> {
  const text = textOf(body, operation);
  if (text.length > MAX_BODY) {
    throw new ProblemException(
      413,
      'JOBS_BODY_TOO_LARGE',
      `The body has ${text.length} characters, at most ${MAX_BODY}.`,
    );
  }
  const { payload, ...rest } = isObject(body) ? body : {};
  const unknown = isObject(body) ? unknownMembers(body, [...membersOf(type)]) : [];
  const { value, problems } = await validateAs(type, isObject(body) ? rest : body, 'ignore');
  if (value === null || unknown.length > 0) throw new InvalidRequestError(operation, [...unknown, ...problems]);
  return { members: Object.assign({}, value, payload === undefined ? {} : { payload }), text };
}

/** What was parsed may be nested more deeply than it can be walked. */
function textOf(body: unknown, operation: string): string {
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    throw new InvalidRequestError(operation, ['the body is nested too deeply']);
  }
}

function unknownMembers(body: object, known: readonly string[]): readonly string[] {
  return Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
    .map((name) => {
      const close = nearest(name, known);
      const hint = close === null ? `Known: ${known.join(', ')}` : `Did you mean "${close}"?`;
      return `there is no member "${name.slice(0, 60)}" here. ${hint}`;
    });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
