import { member } from '../guarded-read.js';
import { PERMANENT, throttled, TRANSIENT, type Judgement } from '../judgement.js';

const RESOURCE_EXHAUSTED = 8;
/** Cancelled, unknown, deadline exceeded, aborted, internal, unavailable. */
const TRANSIENT_CODES: readonly number[] = [1, 2, 4, 10, 13, 14];
const LAST_CODE = 16;

/** Judges an error of gRPC, known by its number together with `details` and `metadata`. Null = it is none. */
export function judgeGrpcError(error: unknown): Judgement | null {
  const code = member(error, 'code');
  if (typeof code !== 'number' || !Number.isInteger(code) || code < 1 || code > LAST_CODE) return null;
  if (typeof member(error, 'details') !== 'string' || typeof member(error, 'metadata') !== 'object') return null;
  if (code === RESOURCE_EXHAUSTED) return throttled(null);
  return TRANSIENT_CODES.includes(code) ? TRANSIENT : PERMANENT;
}
