/**
 * Takes an advisory lock unless another process holds it.
 *
 * Fenced: no.
 * Locks: the advisory lock, until the end of the transaction; never waits.
 * Params: $1, $2 the lock's two numbers.
 */
export const tryLockUntilCommitSql = (): string => 'select pg_try_advisory_xact_lock($1::int, $2::int) as locked';
