import { JobsError } from '../../core/errors.js';
import { redactStart } from '../../core/execution/redaction.js';
import { isUnavailable } from '../../postgres/database/store-errors.js';

const MAX_LENGTH = 4_000;
const UNREACHABLE = 'A server that the application needs, such as its database, cannot be reached: ';

/** What went wrong, for people: without stack and without secrets, with the cause when the error has one. */
export function failureText(error: unknown): string {
  const prefix = !(error instanceof JobsError) && isUnavailable(error) ? UNREACHABLE : '';
  return redactStart(`${prefix}${withCause(error)}`, 2 * MAX_LENGTH).slice(0, MAX_LENGTH);
}

function withCause(error: unknown): string {
  const text = ownText(error);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? text : `${text} ${ownText(cause)}`;
}

/** An attempt to reach several addresses of a host fails with one error each, and no text of its own. */
function ownText(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(ownText).join('; ');
  return error instanceof Error ? error.message : String(error);
}
