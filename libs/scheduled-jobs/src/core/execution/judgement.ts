/**
 * What an error says about another attempt: `transient` = it may help, `throttled` = it may help later and this call does
 * not count, `permanent` = it cannot help.
 */
export const ERROR_KINDS = ['transient', 'throttled', 'permanent'] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** The kind of an error, and the wait that it asks for, which counts when it is throttled. */
export interface Judgement {
  readonly kind: ErrorKind;
  /** Milliseconds from now, or an instant; null = it does not say. */
  readonly retryAfter: number | Date | null;
}

export const TRANSIENT: Judgement = { kind: 'transient', retryAfter: null };
export const PERMANENT: Judgement = { kind: 'permanent', retryAfter: null };
export const throttled = (retryAfter: Judgement['retryAfter']): Judgement => ({ kind: 'throttled', retryAfter });
