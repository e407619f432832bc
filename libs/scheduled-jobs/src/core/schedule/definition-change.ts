import { MINUTE_MS } from '../duration.js';

/** How long a version counts as in use after an instance whose code equals it was last seen, milliseconds. */
const IN_USE_MS = 2 * MINUTE_MS;

/** What is known of the definition that is in force. */
export interface DefinitionInForce {
  /** The greatest release that has put a definition of this schedule in force; null = none had a number. */
  readonly release: number | null;
  /** When an instance whose code equals it was last seen; null = never. */
  readonly carriedAt: Date | null;
}

/** What a process brings along. */
export interface OwnDefinition {
  /** Null = its application states none. */
  readonly release: number | null;
  /** It was in force before and another one took its place. */
  readonly wasReplaced: boolean;
}

/**
 * Tells whether a process's own definition takes the place of the one in force.
 *
 * A greater release does so at once. Otherwise a definition never seen before is the newest. One that was replaced, or that
 * belongs to a smaller release, may come from an instance that a rolling deploy has not reached yet: it waits until nobody
 * has carried the one in force for two minutes, and then comes back, because somebody has rolled back to it.
 */
export function takesEffect({ release, wasReplaced }: OwnDefinition, inForce: DefinitionInForce, now: Date): boolean {
  if (isGreater(release, inForce.release)) return true;
  const isSmaller = release !== null && inForce.release !== null && release < inForce.release;
  return (!wasReplaced && !isSmaller) || !isInUse(inForce, now);
}

/** The greatest of some releases; null = none of them is one. */
export const greatestRelease = (...releases: readonly (number | null)[]): number | null =>
  releases.reduce((greatest, release) => (isGreater(release, greatest) ? release : greatest), null);

/** Tells whether a release is greater than another; any is greater than none. */
export const isGreater = (release: number | null, than: number | null): boolean =>
  release !== null && (than === null || release > than);

const isInUse = ({ carriedAt }: DefinitionInForce, now: Date): boolean =>
  carriedAt !== null && now.getTime() - carriedAt.getTime() <= IN_USE_MS;
