import type { ReplayFilter } from '../../core/ports/replay-store.js';

/** Means everything that has ended, acknowledged failures included. */
export const NO_FILTER = [null, null, null, null, null, null, true] as const;

/** The parameters of `isMeantByReplay` for a filter. */
export const filterValues = ({
  states = ['failed'],
  job,
  queue,
  fingerprint,
  finishedFrom,
  finishedTo,
}: ReplayFilter): readonly unknown[] => [states, job, queue, fingerprint, finishedFrom, finishedTo, false];

/**
 * True for an outcome `o` of an execution `e` that a replay is meant for. A filter that is null disappears when the
 * statement is planned, because it is planned for the values at hand.
 * @param first The number of the first of its parameters: states, job, queue, fingerprint, finished from (inclusive) and to
 * (exclusive), and whether acknowledged failures are meant, too.
 */
export const isMeantByReplay = (first: number): string => `
  ($${first}::text[] is null or o.state = any ($${first}))
  and ($${first + 1}::text is null or e.job_name = $${first + 1})
  and ($${first + 2}::text is null or e.queue = $${first + 2})
  and ($${first + 3}::text is null or o.error_fingerprint = $${first + 3})
  and ($${first + 4}::timestamptz is null or o.finished_at >= $${first + 4})
  and ($${first + 5}::timestamptz is null or o.finished_at < $${first + 5})
  and ($${first + 6}::boolean or o.acknowledged_at is null)`;
