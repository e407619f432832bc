import { isPermanentError, isRetryLaterError } from '../errors.js';
import { judgeGrpcError } from './error-shapes/grpc-error.js';
import { judgeHttpError } from './error-shapes/http-error.js';
import { judgeNodeError } from './error-shapes/node-error.js';
import { judgePostgresError } from './error-shapes/postgres-error.js';
import { member } from './guarded-read.js';
import { PERMANENT, throttled, TRANSIENT, type ErrorKind, type Judgement } from './judgement.js';

const MAX_CAUSES = 8;
const MAX_PARTS = 10;

/** Looks at one error alone; null = it says nothing. */
type Reading = (error: unknown) => Judgement | null;

const SHAPES: readonly Reading[] = [judgeHttpError, judgePostgresError, judgeGrpcError, judgeNodeError];

/** What a handler says about its own error comes first, wherever it stands among the causes; null = it says nothing. */
export const spokenJudgement = (error: unknown): Judgement | null => alongCauses(error, spokenWord);

/**
 * Judges what was thrown by its shape and its causes, from the outside in: the first that is known decides. An
 * AggregateError is as mild as the mildest of its parts. What nobody knows is transient. Never throws.
 */
export const judgeByShape = (error: unknown): Judgement =>
  alongCauses(error, (one) => judgeShape(one) ?? judgeParts(one)) ?? TRANSIENT;

function spokenWord(error: unknown): Judgement | null {
  if (isPermanentError(error)) return PERMANENT;
  return isRetryLaterError(error) ? throttled(waitOf(member(error, 'retryAfter'))) : null;
}

function waitOf(retryAfter: unknown): number | Date | null {
  if (typeof retryAfter === 'number') return Number.isNaN(retryAfter) ? null : retryAfter;
  try {
    const atMs = Date.prototype.getTime.call(retryAfter as Date);
    return Number.isNaN(atMs) ? null : new Date(atMs);
  } catch {
    return null; // It is no Date.
  }
}

function judgeShape(error: unknown): Judgement | null {
  for (const judge of SHAPES) {
    const judgement = judge(error);
    if (judgement !== null) return judgement;
  }
  return null;
}

/** Parts of parts are not looked at: that bounds the search. */
function judgeParts(error: unknown): Judgement | null {
  const judgements = partsOf(error).map((part) => spokenJudgement(part) ?? alongCauses(part, judgeShape));
  if (judgements.every((judgement) => judgement === null)) return null;
  const known = judgements.map((judgement) => judgement ?? TRANSIENT);
  const some = (kind: ErrorKind) => known.find((judgement) => judgement.kind === kind);
  return some('transient') ?? some('throttled') ?? PERMANENT;
}

/** The parts of an AggregateError, each read safely. */
export function partsOf(error: unknown): readonly unknown[] {
  const parts = member(error, 'errors');
  try {
    if (!Array.isArray(parts)) return [];
    return Array.from({ length: Math.min(parts.length, MAX_PARTS) }, (_, at) => parts[at] as unknown);
  } catch {
    return []; // A proxy that refuses.
  }
}

/** The first judgement along `cause`, from the outside in. */
function alongCauses(error: unknown, read: Reading): Judgement | null {
  let one = error;
  for (let depth = 0; depth < MAX_CAUSES; depth++) {
    if (typeof one !== 'object' || one === null) return null;
    const judgement = read(one);
    if (judgement !== null) return judgement;
    one = member(one, 'cause');
  }
  return null;
}
