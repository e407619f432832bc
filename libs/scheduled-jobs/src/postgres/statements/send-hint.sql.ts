/**
 * Tells listeners that there may be work; delivered when the transaction commits.
 *
 * Fenced: no, it is only a hint.
 * Locks: none of ours.
 * Params: $1 channel.
 */
export const sendHintSql = (): string => `select pg_notify($1::text, '')::text as sent`;
