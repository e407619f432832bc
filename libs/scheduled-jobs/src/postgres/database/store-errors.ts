import { JobsError, StoreUnavailableError } from '../../core/errors.js';
import { isA, member } from '../../core/execution/guarded-read.js';

/** The SQLSTATE or system code of an error, also below a wrapper of the ORM. */
export function errorCode(error: unknown): string | null {
  const codes = [member(error, 'code'), member(member(error, 'driverError'), 'code')];
  return codes.find((code) => typeof code === 'string') ?? null;
}

/** What handlers throw passes here as well, and need not want to be read. */
function messageOf(error: unknown): string {
  const message = isA(error, Error) ? member(error, 'message') : '';
  return typeof message === 'string' ? message : '';
}

const READ_ONLY = '25006';
const GONE_SQLSTATES = /^(08...|53...|57P0[1-5]|57014|25006|25P0[34])$/;
const GONE_SYSTEM_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// The driver, its pool and the ORM give these no code.
const GONE_TEXTS =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|Client was closed|Query read timeout|after calling end on the pool|query ?runner (?:was )?already released|Driver not Connected|gave no connection within/i;

/** Tells whether the connection or the server is gone, busy or stopping, so that the same call may work later. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null && (GONE_SQLSTATES.test(code) || GONE_SYSTEM_CODES.has(code))) return true;
  return GONE_TEXTS.test(messageOf(error));
}

/**
 * Tells that the same connection will not do: it gave no answer, or it leads to a server that has become read-only, as
 * the old primary is after a failover.
 */
export const needsNewConnection = (error: unknown): boolean =>
  errorCode(error) === READ_ONLY || messageOf(error) === 'Query read timeout';

/** Tells that the server ended a transaction because its process was silent for too long inside it. */
export const isIdleInTransaction = (error: unknown): boolean => errorCode(error) === '25P03';

/** Tells that a statement gave up waiting for a lock, by `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => errorCode(error) === '55P03';

/** Tells a transaction that PostgreSQL rolled back only because of another one; doing it again helps. */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

const UNPREPARED: ReadonlySet<string | null> = new Set(['26000', '42P05', '0A000']);

/** Tells that a named statement was not there, was there already, or has a plan that fits no longer. */
export const isUnprepared = (error: unknown): boolean => UNPREPARED.has(errorCode(error));

const UNCALLABLE: ReadonlySet<string | null> = new Set(['42883', '42501']);

/** Tells that there is no such function, or that the role may not call it. */
export const isUncallable = (error: unknown): boolean => UNCALLABLE.has(errorCode(error));

/** Tells that a value cannot be stored (SQLSTATE classes 22 and 23), so that the same values never work. */
export const isDataError = (error: unknown): boolean => /^2[23]/.test(errorCode(error) ?? '');

/** The error to raise to callers: StoreUnavailableError with its cause when the database is gone, else the error itself. */
export function storeError(error: unknown, action: string): unknown {
  if (isA(error, JobsError)) return error;
  return isUnavailable(error) || isConflict(error) ? new StoreUnavailableError(action, { cause: error }) : error;
}
