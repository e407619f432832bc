/**
 * Takes an advisory lock. A statement of its own: the next one then sees what the last holder committed.
 *
 * Fenced: no.
 * Locks: the advisory lock, until the end of the transaction; waits for it.
 * Params: $1, $2 the lock's two numbers.
 */
export const lockUntilCommitSql = (): string => 'select pg_advisory_xact_lock($1::int, $2::int)::text as locked';
