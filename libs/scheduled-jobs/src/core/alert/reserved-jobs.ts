/** Job names that begin so, in whatever case, are the library's own. */
export const RESERVED_JOB_PREFIX = 'scheduled-jobs.';

/** The background job that delivers alerts to a webhook. Its own failure raises no alert: that would go on for ever. */
export const WEBHOOK_JOB = `${RESERVED_JOB_PREFIX}webhook`;
