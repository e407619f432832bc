import { timeZoneProblem } from '../../core/calendar/time-zone.js';
import { checkJobs, type CheckedJob } from '../../core/job/check-jobs.js';
import { overlapRisk, type AttemptDurations } from '../../core/job/overlap-risk.js';
import { readAttemptDurations, type LedgerAddress } from '../../postgres/attempt-durations.js';
import { DEFAULT_SCHEMA } from '../../postgres/ledger-names.js';
import { checkText, type CheckReport } from '../output/check-report.js';
import { defineCommand, type CommandContext, type Report } from '../command.js';
import { failureText } from '../output/failure-text.js';
import { MODULE_ARGUMENT, namedApplication } from '../application/find-application.js';
import { LineLogger } from '../output/line-logger.js';
import { loadModule } from '../application/load-module.js';
import { flag, integer, text, type Given } from '../arguments/option.js';
import { previewApplication, type PreviewedApplication } from '../application/preview-application.js';
import { checkSources, sourceText } from '../sources/check-sources.js';
import { UsageError } from '../arguments/usage-error.js';

const OPTIONS = {
  'time-zone': text('<zone>', "the module's time zone, when its options come from a factory (forRootAsync)"),
  count: integer('fires to list for each job, 1 … 1000; default 10', { min: 1, max: 1_000 }),
  database: flag('also compare how long attempts took with the distance between fires; DATABASE_URL tells where'),
  'database-url': text('<url>', 'the same, with the URL of the database'),
  source: text('<folder>', 'in place of a module: find timers in sources that run in every process'),
  schema: text('<name>', `the schema of the ledger; default the module's, else ${DEFAULT_SCHEMA}`),
};
type Values = Given<typeof OPTIONS>;

const NO_JOBS =
  'There is no job. Name the module that imports those whose providers carry @ScheduledJob or @BackgroundJob; providers that a factory makes are not seen.';

/** Checks every job of an application without starting it. */
export const CHECK_COMMAND = defineCommand({
  name: 'check',
  summary: 'find mistakes in the jobs of an application, without starting it',
  about: `Checks every job without making any provider or connection: names, time zones, dates that never come, times that
a change of the clocks leaves out or repeats, expressions that probably mean something else. Lists the next fires.
With --source it looks for @Cron, @Interval, @Timeout, setInterval and CronJob instead, which fire in every process.`,
  argument: MODULE_ARGUMENT,
  options: OPTIONS,
  exitCodes: { 0: 'no problem, warnings or not', 1: 'problems, or timers that run in every process' },
  problems: ({ options, values }) =>
    options.source !== undefined && values.length > 0
      ? ['Give either a module or --source: these are two checks.']
      : [],
  run: async ({ options, values }, context) => {
    if (options.source !== undefined) return sourceCheck(options.source, context);
    const url = databaseUrl(options, context);
    const timeZone = givenTimeZone(options);
    const app = await previewApplication(
      await loadModule(namedApplication(values[0], context), context.folder),
      new LineLogger(context.log, 'error'),
    );
    const found = checked(app, timeZone, options.count ?? 10);
    const schema = options.schema ?? app.schema ?? DEFAULT_SCHEMA;
    const report = reported(found, url === null ? null : await durationsOf(found.jobs, { url, schema }));
    return { exitCode: report.problems.length === 0 ? 0 : 1, json: report, text: checkText(report) };
  },
});

function sourceCheck(folder: string, context: CommandContext): Report {
  const report = checkSources(folder, context.folder);
  return { exitCode: report.findings.length === 0 ? 0 : 1, json: report, text: sourceText(report, folder) };
}

function databaseUrl(options: Values, { environment }: CommandContext): string | null {
  const url = options['database-url'];
  if (url !== undefined) return url;
  if (!options.database) return null;
  const { DATABASE_URL } = environment;
  if (DATABASE_URL !== undefined && DATABASE_URL !== '') return DATABASE_URL;
  throw new UsageError('--database needs the environment variable DATABASE_URL; or use --database-url.');
}

function givenTimeZone(options: Values): string | null {
  const timeZone = options['time-zone'];
  if (timeZone === undefined) return null;
  const problem = timeZoneProblem(timeZone);
  if (problem !== null) throw new UsageError(`--time-zone: ${problem}`);
  return timeZone;
}

interface Found {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly jobs: readonly CheckedJob[];
}

function checked(app: PreviewedApplication, timeZone: string | null, count: number): Found {
  const { declared, unprovided, defaults, areMadeLater } = app;
  const zone = areMadeLater ? { timeZone } : {};
  const { problems, jobs } = checkJobs({ declared, defaults: { ...defaults, ...zone }, now: new Date(), count });
  const empty = declared.length === 0 ? [NO_JOBS] : [];
  return {
    problems: [...app.problems, ...empty, ...problems],
    notes: [...notes(areMadeLater, timeZone), ...unprovided.map(unprovidedNote)],
    jobs,
  };
}

function notes(areMadeLater: boolean, timeZone: string | null): readonly string[] {
  if (!areMadeLater) {
    return timeZone === null ? [] : ['--time-zone is not used: the options of the module can be read.'];
  }
  const zone = timeZone === null ? ' Give its time zone with --time-zone.' : '';
  return [`The options of the module come from a factory, which is not called here: its "jobs" are not known.${zone}`];
}

const unprovidedNote = (place: string): string =>
  `${place} is decorated and loaded, but no module here provides its class: unless a factory makes it, nothing runs it. Add the class to "providers".`;

interface ReadDurations {
  readonly durations: readonly AttemptDurations[];
  readonly problems: readonly string[];
}

async function durationsOf(jobs: readonly CheckedJob[], address: LedgerAddress): Promise<ReadDurations> {
  const names = jobs.flatMap(({ name, schedule }) => (schedule === null ? [] : [name]));
  try {
    return { durations: await readAttemptDurations(address, names), problems: [] };
  } catch (error) {
    return { durations: [], problems: [failureText(error)] };
  }
}

/** @param read Null = the database was not asked. */
function reported({ problems, notes, jobs }: Found, read: ReadDurations | null): CheckReport {
  const durations = new Map(read?.durations.map((found) => [found.jobName, found]));
  return {
    problems: [...problems, ...(read?.problems ?? [])],
    notes,
    jobs: jobs.map((job) => ({ ...job, overlapRisk: overlapRisk(job, durations.get(job.name)) })),
    isDatabaseRead: read?.problems.length === 0,
  };
}
