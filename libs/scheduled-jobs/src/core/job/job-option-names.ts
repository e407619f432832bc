/** Options of every job. */
export const SHARED_OPTIONS = [
  'name',
  'queue',
  'priority',
  'overlap',
  'concurrencyKey',
  'concurrency',
  'retry',
  'classify',
  'timeout',
  'abortGrace',
  'lease',
  'heartbeat',
  'blockedLoopLimit',
  'transactional',
  'disabled',
  'aliases',
  'retention',
  'runbook',
] as const;

/** Options of scheduled jobs; `cron` only in overrides, where it replaces the decorator's expression. */
export const SCHEDULE_OPTIONS = [
  'cron',
  'timeZone',
  'period',
  'periodOf',
  'dst',
  'startAt',
  'exclude',
  'catchUp',
  'alert',
] as const;

/** Options of background jobs. */
export const BACKGROUND_OPTIONS = ['payload', 'key', 'duplicates'] as const;

const onlyFor = (names: readonly string[], decorator: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `is only for ${decorator}`]));

/** What to say about options of scheduled jobs on a background job. */
export const ONLY_SCHEDULED = onlyFor(SCHEDULE_OPTIONS, '@ScheduledJob');

/** What to say about options of background jobs on a scheduled job. */
export const ONLY_BACKGROUND = onlyFor(BACKGROUND_OPTIONS, '@BackgroundJob');

/** Options that people bring along from `@Cron`, and what to do about them. */
export const REPLACED_OPTIONS: Readonly<Record<string, string>> = {
  tz: 'is not an option. Use "timeZone"',
  timezone: 'is not an option. Use "timeZone"',
  utcOffset: 'is not an option: an offset knows no daylight saving. Use "timeZone" with an IANA name',
  waitForCompletion: `is not an option. Executions wait for one another by overlap: 'queue' (the default); overlap: 'skip' leaves out those that meet a running one`,
  unrefTimeout: 'is not an option: the module stops its timer when the application closes',
  threshold: 'is not an option. How late a period may start is catchUp.grace',
  initialDelay: 'is not an option. Use "startAt"',
};
