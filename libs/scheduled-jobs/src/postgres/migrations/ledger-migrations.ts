import { CreateLedger1764288000000 } from './0001-create-ledger.js';
import { AddSuspensionsAndBackfills1764374400000 } from './0002-add-suspensions-and-backfills.js';
import { AddOverlapPoliciesAndHeldWork1764460800000 } from './0003-add-overlap-policies-and-held-work.js';
import { AddErrorKinds1764547200000 } from './0004-add-error-kinds.js';
import { AddQueues1764633600000 } from './0005-add-queues.js';
import { AddOperations1764720000000 } from './0006-add-operations.js';
import { AddStepsAndFrozenItems1764806400000 } from './0007-add-steps-and-frozen-items.js';
import { AddAlertsAndInstances1764979200000 } from './0009-add-alerts-and-instances.js';
import { AddBrowsing1765065600000 } from './0010-add-browsing.js';
import { AddRequests1765152000000 } from './0011-add-requests.js';
import { AddTraceParents1765238400000 } from './0012-add-trace-parents.js';
import { AddStopsOfInstances1765324800000 } from './0013-add-stops-of-instances.js';
import type { LedgerMigrationClass } from './ledger-migration.js';

/** All steps in order; the schema version is the number of steps done. */
export const LEDGER_MIGRATIONS: readonly LedgerMigrationClass[] = [
  CreateLedger1764288000000,
  AddSuspensionsAndBackfills1764374400000,
  AddOverlapPoliciesAndHeldWork1764460800000,
  AddErrorKinds1764547200000,
  AddQueues1764633600000,
  AddOperations1764720000000,
  AddStepsAndFrozenItems1764806400000,
  AddAlertsAndInstances1764979200000,
  AddBrowsing1765065600000,
  AddRequests1765152000000,
  AddTraceParents1765238400000,
  AddStopsOfInstances1765324800000,
];

/** The schema version that this package writes and reads. */
export const SCHEMA_VERSION = LEDGER_MIGRATIONS.length;
