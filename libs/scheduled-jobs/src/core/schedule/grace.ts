import { MINUTE_MS } from '../duration.js';
import type { JobDefinition } from '../job/job-definition.js';

/** A schedule that is not carried here is late after the default of `catchUp.grace`. */
const FOREIGN_GRACE_MS = MINUTE_MS;

/** How late an occurrence may be recorded without being overdue, milliseconds. */
export const graceMsOf = (definition: JobDefinition | undefined): number =>
  definition?.schedule?.catchUp.graceMs ?? FOREIGN_GRACE_MS;
