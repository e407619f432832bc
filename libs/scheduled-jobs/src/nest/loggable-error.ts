import { inspect } from 'node:util';
import { redactText } from '../core/execution/redaction.js';

const MAX_TEXT_LENGTH = 4_000;

// Anybody may throw anything: what has no text, megabytes, and messages of drivers with connection strings in them.
const loggable = (text: string): string => redactText(text.slice(0, MAX_TEXT_LENGTH));

/** What was thrown as a log line may show it: bounded and without secrets. */
export const errorText = (error: unknown): string =>
  loggable(
    error instanceof Error ? `${error.name}: ${error.message}` : inspect(error, { depth: 1, breakLength: Infinity }),
  );

/** The stack of what was thrown, likewise; undefined = it has none. */
export const errorStack = (error: unknown): string | undefined =>
  error instanceof Error && error.stack !== undefined ? loggable(error.stack) : undefined;
