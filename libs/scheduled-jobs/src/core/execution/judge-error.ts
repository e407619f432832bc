import { shown } from '../job/option-reader.js';
import { quieten } from '../quieten.js';
import { judgeByShape, spokenJudgement } from './error-kind.js';
import { ERROR_KINDS, type ErrorKind, type Judgement } from './judgement.js';
import { thrownText } from './stored-error.js';

/** A job's own view of an error; `undefined` leaves it to the defaults. */
export type Classify = (error: unknown) => ErrorKind | undefined;

export interface JudgedError {
  readonly judgement: Judgement;
  /** What is wrong with the job's `classify`, which then counts for nothing; null = nothing. */
  readonly complaint: string | null;
}

/**
 * Judges what a handler threw: its own words (`PermanentError`, `RetryLaterError`, also inside `cause`), then the job's
 * `classify`, then the defaults. Never throws.
 */
export function judgeError(error: unknown, classify: Classify | null): JudgedError {
  const spoken = spokenJudgement(error);
  if (spoken !== null) return { judgement: spoken, complaint: null };
  const byShape = judgeByShape(error);
  if (classify === null) return { judgement: byShape, complaint: null };
  const { kind, complaint } = ownKind(classify, error);
  return { judgement: kind === null ? byShape : { ...byShape, kind }, complaint };
}

function ownKind(
  classify: Classify,
  error: unknown,
): { readonly kind: ErrorKind | null; readonly complaint: string | null } {
  try {
    const said: unknown = classify(error);
    quieten(said);
    if (said === undefined) return { kind: null, complaint: null };
    const kind = ERROR_KINDS.find((one) => one === said);
    if (kind !== undefined) return { kind, complaint: null };
    return { kind: null, complaint: `gave ${shown(said)}, not ${ERROR_KINDS.join(', ')} or undefined` };
  } catch (problem) {
    return { kind: null, complaint: `threw: ${thrownText(problem)}` };
  }
}
