import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/duration.js';
import { JOB_NAME } from '../../core/job/execution-key.js';

/** A timer as its source has it. */
export interface TimerCall {
  readonly kind: '@Cron' | '@Interval' | '@Timeout' | 'setInterval' | 'CronJob' | 'node-cron';
  readonly place: string | null;
  /** The source text of each argument. */
  readonly args: readonly string[];
  /** The source text of each member of an options object. */
  readonly options: ReadonlyMap<string, string>;
}

/** Zone of an interval, which has none. */
const ANY_ZONE = "'UTC'";
const UNKNOWN_ZONE = "'<zone>'";
const ONCE = 'Once, not once a process: enqueue a @BackgroundJob with a key.';

/** What to write in place of a timer. */
export function replacementOf(call: TimerCall): string {
  const { kind, args, options } = call;
  if (kind === '@Cron') {
    return decorator(args[0] ?? "'<cron>'", {
      name: nameOf(call, options.get('name')),
      timeZone: options.get('timeZone') ?? UNKNOWN_ZONE,
      ...(options.has('disabled') ? { disabled: options.get('disabled') ?? '' } : {}),
      ...(options.get('waitForCompletion') === 'true' ? { overlap: "'skip'" } : {}),
    });
  }
  if (kind === '@Timeout') return ONCE;
  if (kind === 'CronJob' || kind === 'node-cron') {
    const cron = options.get('cronTime') ?? args[0];
    return decorator(cron === undefined || cron.startsWith('{') ? "'<cron>'" : cron, {
      name: nameOf(call, options.get('name')),
      timeZone: options.get('timeZone') ?? options.get('timezone') ?? UNKNOWN_ZONE,
    });
  }
  const [named, ms] =
    kind === '@Interval' && args.length > 1 ? [args[0], args[1]] : [undefined, args.at(kind === 'setInterval' ? 1 : 0)];
  return decorator(everyMs(ms), { name: nameOf(call, named), timeZone: ANY_ZONE });
}

const decorator = (cron: string, options: Readonly<Record<string, string>>): string =>
  `@ScheduledJob(${cron}, { ${Object.entries(options)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} })`;

/** The name that it has, else one made of its place. */
function nameOf({ place }: TimerCall, given: string | undefined): string {
  const literal = /^(['"`])(.*)\1$/.exec(given ?? '')?.[2];
  if (given !== undefined && literal === undefined) return given; // A constant, whose value is not known here.
  const name = kebab(literal ?? place ?? '');
  return JOB_NAME.pattern.test(name) ? `'${name}'` : "'<name>'";
}

const kebab = (text: string): string =>
  text
    .replace(/\.(?:constructor|\?)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replaceAll('.', '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();

/** A cron expression of a distance that divides the next unit; others have none. */
function everyMs(text: string | undefined): string {
  const ms = Number((text ?? '').replaceAll('_', ''));
  const every = (unitMs: number, wholeMs: number): number | null =>
    ms >= unitMs && ms % unitMs === 0 && ms < wholeMs && wholeMs % ms === 0 ? ms / unitMs : null;
  const seconds = every(SECOND_MS, MINUTE_MS);
  if (seconds !== null) return `'${step(seconds)} * * * * *'`;
  const minutes = every(MINUTE_MS, HOUR_MS);
  if (minutes !== null) return `'${step(minutes)} * * * *'`;
  const hours = every(HOUR_MS, DAY_MS);
  return hours === null ? "'<cron>'" : `'0 ${step(hours)} * * *'`;
}

const step = (count: number): string => (count === 1 ? '*' : `*/${count}`);
