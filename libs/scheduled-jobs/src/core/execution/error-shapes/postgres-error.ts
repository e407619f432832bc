import { member } from '../guarded-read.js';
import { PERMANENT, TRANSIENT, type Judgement } from '../judgement.js';

/** Serialization failure, deadlock, lock not available; connections, resources, an operator's intervention. */
const TRANSIENT_STATES = /^(?:40001|40P01|55P03|08...|53...|57P0.)$/;
/** Data that does not fit, constraints, syntax and missing rights or tables. */
const PERMANENT_STATES = /^(?:22|23|42)...$/;

/** Judges an error of PostgreSQL, also inside TypeORM's QueryFailedError. Null = it is none, or its state says nothing. */
export function judgePostgresError(error: unknown): Judgement | null {
  const state = member(error, 'code');
  // Only with a severity is it an SQLSTATE: others use codes of five characters as well.
  if (typeof state !== 'string' || typeof member(error, 'severity') !== 'string') return null;
  if (TRANSIENT_STATES.test(state)) return TRANSIENT;
  return PERMANENT_STATES.test(state) ? PERMANENT : null;
}
