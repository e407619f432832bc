import type { ReplayGroup } from '../../core/ports/replay-store.js';
import { table } from './table.js';

/** What a filter means, by job and kind of error. */
export const groupsTable = (groups: readonly ReplayGroup[]): readonly string[] =>
  table(
    ['JOB', 'ERROR', 'FINGERPRINT', 'COUNT', 'SUCH AS'],
    groups.map(({ job, errorClass, fingerprint, count, examples }) => [
      job,
      errorClass ?? '-',
      fingerprint ?? '-',
      String(count),
      examples[0] ?? '-',
    ]),
  );
