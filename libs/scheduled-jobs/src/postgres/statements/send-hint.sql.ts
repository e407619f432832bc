import type { Hint } from '../../core/ports/wake-up.js';

/**
 * Tells listeners that there may be work, or that something was asked to stop; delivered when the transaction commits.
 *
 * Fenced: no, it is only a hint.
 * Locks: none of ours.
 * Params: $1 channel.
 */
export const sendHintSql = (hint: Hint = 'work'): string =>
  `select pg_notify($1::text, '${hint === 'work' ? '' : hint}')::text as sent`;
