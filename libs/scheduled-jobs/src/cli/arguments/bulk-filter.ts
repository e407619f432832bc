import { definedOnly } from '../../core/defined-only.js';
import type { ReplayFilter } from '../../core/ports/replay-store.js';

/** The options by which a command chooses many executions. */
interface BulkFilterOptions {
  readonly states?: ReplayFilter['states'] | undefined;
  readonly job?: string | undefined;
  readonly queue?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly 'finished-from'?: Date | undefined;
  readonly 'finished-to'?: Date | undefined;
}

/** The filter that they mean; one without a member means nothing. */
export const bulkFilterOf = ({ job, queue, states, fingerprint, ...ended }: BulkFilterOptions): ReplayFilter =>
  definedOnly({
    job,
    queue,
    states,
    fingerprint,
    finishedFrom: ended['finished-from'],
    finishedTo: ended['finished-to'],
  });
