import { textProblem } from '../execution/storable-text.js';

const MAX_LENGTH = 200;

/** Names that begin so are the library's own. */
export const RESERVED_LEASE_PREFIX = 'nestjs-scheduled-jobs:';

/** Why a text cannot name a lease of the application; null = it can: 1–200 storable characters, not the library's own. */
export function leaseNameProblem(name: unknown): string | null {
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_LENGTH) {
    return `the name must be a text of 1 to ${MAX_LENGTH} characters`;
  }
  const unstorable = textProblem(name);
  if (unstorable !== null) return `the name ${unstorable}`;
  return name.startsWith(RESERVED_LEASE_PREFIX)
    ? `names that begin with "${RESERVED_LEASE_PREFIX}" are reserved`
    : null;
}
