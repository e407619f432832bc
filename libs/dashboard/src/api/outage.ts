import { signal } from '@preact/signals';
import type { ApiProblem } from './problem.js';

/** Nothing can be read at present: it is said once for the whole page, and what stays shown may be old. */
export interface Outage {
  readonly problem: ApiProblem;
  /** When something was read last, milliseconds since 1970 by the server's clock; null = never. */
  readonly readAt: number | null;
}

export const outage = signal<Outage | null>(null);

let readAt: number | null = null;

/** Whether a problem means the whole application, and not what was asked of it. */
export const isOutage = ({ status }: ApiProblem): boolean => [0, 401, 503].includes(status);

/** Keeps when something was read; whatever was out is back. */
export function noteRead(at: number): void {
  readAt = at;
  outage.value = null;
}

/** Keeps that nothing can be read, if that is what the problem means. */
export function noteProblem(problem: ApiProblem): void {
  if (isOutage(problem)) outage.value = { problem, readAt };
}
