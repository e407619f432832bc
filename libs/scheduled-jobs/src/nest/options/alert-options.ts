import type { Alert, AlertRule } from '../../core/alert/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Duration } from '../../core/duration.js';
import { JOB_NAME } from '../../core/job/execution-key.js';
import { shown, type OptionReader } from '../../core/job/option-reader.js';
import type { WebhookTarget } from '../../engine/webhook-delivery.js';

/** Where alerts are posted as JSON, by an execution of the job `scheduled-jobs.webhook` each. */
export interface WebhookOptions {
  /** `http:` or `https:`. Never stored, logged or shown; credentials in it become an `Authorization` header. */
  readonly url: string;
  /** At most 50, such as `{ authorization: 'Bearer …' }`. Never stored, logged or shown. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long an answer may take, `1s` … `5m`. Default `10s`. */
  readonly timeout?: Duration;
  /** The queue of the job; some worker must serve it. Default `default`. */
  readonly queue?: string;
}

/** When too many executions of a job become dead letters. */
export interface DeadLetterRatioOptions {
  /** Dead letters that ended in the window, divided by executions that were due in it, 0 … 1. Default 0.1. */
  readonly above?: number;
  /** `1m` … `7d`. Default `1h`. */
  readonly window?: Duration;
  /** Fewer due executions than that raise nothing, 1 … 100,000. Default 20. */
  readonly minimum?: number;
}

/** What a process raises alerts for, and how they are delivered. */
export interface AlertsOptions {
  /**
   * Called once per alert by one of all instances, again when it throws, takes longer than 10 s or its process dies. The
   * event `alert.raised` comes with it.
   */
  readonly onAlert?: (alert: Alert) => unknown;
  readonly webhook?: WebhookOptions;
  /** Each execution that fails for good. Default true. */
  readonly failures?: boolean;
  /** Each period that is not started within the job's `alert.startWithin`, left out by catch-up, or not recorded. Default true. */
  readonly missedPeriods?: boolean;
  /** False = no alert. Default with the defaults of its members. */
  readonly deadLetterRatio?: false | DeadLetterRatioOptions;
  /** How long the oldest execution of a queue may wait although it could run, `1s` … `30d`; false = no alert. Default `15m`. */
  readonly backlogAge?: false | Duration;
}

/** The options with every default filled in. */
export interface ResolvedAlerts {
  readonly onAlert: ((alert: Alert) => unknown) | null;
  readonly webhook: (WebhookTarget & { readonly queue: string }) | null;
  readonly rules: readonly AlertRule[];
}

const DEFAULTS = {
  timeoutMs: 10 * SECOND_MS,
  queue: 'default',
  above: 0.1,
  windowMs: HOUR_MS,
  minimum: 20,
  backlogAgeMs: 15 * MINUTE_MS,
} as const;
const NAMES = ['onAlert', 'webhook', 'failures', 'missedPeriods', 'deadLetterRatio', 'backlogAge'] as const;
const MAX_HEADERS = 50;

/** Reads the alerts of the module; null = it has none. */
export function resolveAlerts(module: OptionReader): ResolvedAlerts | null {
  if (module.raw('alerts') === undefined) return null;
  const reader = module.nested('alerts');
  reader.allowOnly(NAMES);
  const failure: AlertRule = { kind: 'failure' };
  const missedPeriod: AlertRule = { kind: 'missed-period' };
  return {
    onAlert: reader.function('onAlert'),
    webhook: reader.raw('webhook') === undefined ? null : resolveWebhook(reader.nested('webhook')),
    rules: [
      ...(reader.boolean('failures', true) ? [failure] : []),
      ...(reader.boolean('missedPeriods', true) ? [missedPeriod] : []),
      ...(reader.raw('deadLetterRatio') === false ? [] : [resolveRatio(reader.nested('deadLetterRatio'))]),
      ...(reader.raw('backlogAge') === false ? [] : [resolveBacklogAge(reader)]),
    ],
  };
}

function resolveRatio(reader: OptionReader): AlertRule {
  reader.allowOnly(['above', 'window', 'minimum']);
  const above = reader.raw('above') ?? DEFAULTS.above;
  if (typeof above !== 'number' || !(above >= 0 && above <= 1)) {
    reader.refuse('above', `must be a number from 0 to 1, got ${shown(above)}`);
  }
  return {
    kind: 'dead-letter-ratio',
    above: above as number,
    windowMs: reader.durationMs('window', DEFAULTS.windowMs, { min: MINUTE_MS, max: 7 * DAY_MS }),
    minimum: reader.integer('minimum', DEFAULTS.minimum, { min: 1, max: 100_000 }),
  };
}

const resolveBacklogAge = (reader: OptionReader): AlertRule => ({
  kind: 'backlog-age',
  aboveMs: reader.durationMs('backlogAge', DEFAULTS.backlogAgeMs, { min: SECOND_MS, max: 30 * DAY_MS }),
});

function resolveWebhook(reader: OptionReader): ResolvedAlerts['webhook'] {
  reader.allowOnly(['url', 'headers', 'timeout', 'queue']);
  const { url, authorization } = resolveUrl(reader);
  return {
    url,
    headers: { ...authorization, ...resolveHeaders(reader) },
    timeoutMs: reader.durationMs('timeout', DEFAULTS.timeoutMs, { min: SECOND_MS, max: 5 * MINUTE_MS }),
    queue: reader.text('queue', DEFAULTS.queue, JOB_NAME),
  };
}

/** The value is not shown: an address often is the secret itself. */
function resolveUrl(reader: OptionReader): { readonly url: string; readonly authorization: Record<string, string> } {
  const value = reader.raw('url');
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    reader.refuse('url', 'is required: a URL that starts with "https://" or "http://"');
    return { url: '', authorization: {} };
  }
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url: url.href, authorization: {} };
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return {
    url: url.href,
    authorization: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}

/** A lone percent sign stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names are shown, values are not. */
function resolveHeaders(reader: OptionReader): Readonly<Record<string, string>> {
  const value = reader.raw('headers');
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reader.refuse('headers', `must be an object of texts by header name, got ${shown(value)}`);
    return {};
  }
  const headers: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (headers.length > MAX_HEADERS) reader.refuse('headers', `has ${headers.length} headers, more than ${MAX_HEADERS}`);
  for (const [name, text] of headers) {
    if (!isHeader(name, text)) reader.refuse('headers', `has ${shown(name)}, which is not a header with a text`);
  }
  return Object.fromEntries(headers.map(([name, text]) => [name.toLowerCase(), text as string]));
}

function isHeader(name: string, text: unknown): boolean {
  try {
    return typeof text === 'string' && new Headers({ [name]: text }).has(name);
  } catch {
    return false;
  }
}
