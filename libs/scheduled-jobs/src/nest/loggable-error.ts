import { cutText } from '../core/execution/bounded-text.js';
import { storeError } from '../core/execution/stored-error.js';

const MAX_TEXT_BYTES = 4_000;

/** What was thrown as a log line may show it: bounded and without secrets. Never throws. */
export function errorText(error: unknown): string {
  const { errorClass, message } = storeError(error);
  return cutText(`${errorClass}: ${message}`, MAX_TEXT_BYTES);
}

/** Its stack, and those of its causes, likewise; undefined = it has none. */
export function errorStack(error: unknown): string | undefined {
  const { stack } = storeError(error);
  return stack === null ? undefined : cutText(stack, MAX_TEXT_BYTES);
}
