import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../duration.js';
import { JOB_NAME } from '../job/execution-key.js';
import { OptionReader, shown } from '../job/option-reader.js';
import type { BreakerSettings, QueueLimits, Rate } from './queue-limits.js';

const MAX_QUEUES = 1_000;
const MAX_RATE = 1_000_000;
const UNITS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;
/** What the rate gives in this time may start at once, when nobody says otherwise. */
const BURST_MS = 100;

export const BREAKER_DEFAULTS = {
  failureRatio: 0.5,
  minimum: 10,
  windowMs: MINUTE_MS,
  openForMs: 30 * SECOND_MS,
  maxOpenForMs: 10 * MINUTE_MS,
  probes: 1,
} as const satisfies BreakerSettings;

/** Reads the limits of queues, by name, and notes every problem. */
export function resolveQueues(value: unknown, path: string, problems: string[]): readonly QueueLimits[] {
  const queues = new OptionReader(value, path, problems);
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (names.length > MAX_QUEUES) queues.refuse('', `may name at most ${MAX_QUEUES} queues, got ${names.length}`);
  const usable = names.filter((name) => JOB_NAME.pattern.test(name));
  const unusable = names.filter((name) => !JOB_NAME.pattern.test(name)).slice(0, MAX_QUEUES);
  for (const name of unusable) queues.refuse('', `must be by name (${JOB_NAME.hint}), got ${shown(name)}`);
  return usable.slice(0, MAX_QUEUES).map((name) => resolveQueue(name, queues.nested(name)));
}

/** A rate as it is written in the options. */
export function rateText(rate: number, rateMs: number): Rate {
  const [unit] = Object.entries(UNITS).find(([, unitMs]) => unitMs === rateMs) ?? ['s'];
  return `${rate}/${unit as keyof typeof UNITS}`;
}

function resolveQueue(name: string, reader: OptionReader): QueueLimits {
  reader.allowOnly(['concurrency', 'rate', 'burst', 'breaker']);
  const concurrency = reader.integer('concurrency', null, { min: 1, max: 10_000 });
  const rate = readRate(reader);
  const burst = reader.integer('burst', null, { min: 1, max: 100_000 });
  const breaker = readBreaker(reader);
  if (rate !== null) {
    const usual = Math.max(1, Math.floor((rate.starts * BURST_MS) / rate.perMs));
    return { name, concurrency, rate: rate.starts, rateMs: rate.perMs, burst: burst ?? usual, breaker };
  }
  if (burst !== null && reader.raw('rate') === undefined) reader.refuse('burst', 'needs a "rate"');
  return { name, concurrency, rate: null, rateMs: null, burst: null, breaker };
}

function readRate(reader: OptionReader): { readonly starts: number; readonly perMs: number } | null {
  const value = reader.raw('rate');
  if (value === undefined) return null;
  const match = typeof value === 'string' ? /^(\d{1,7})\/([smhd])$/.exec(value) : null;
  const starts = Number(match?.[1]);
  if (match !== null && starts >= 1 && starts <= MAX_RATE) {
    return { starts, perMs: UNITS[match[2] as keyof typeof UNITS] };
  }
  reader.refuse(
    'rate',
    `must be a number of starts (1 … ${MAX_RATE}) and a unit, such as "50/s" or "100/m" (s, m, h, d), got ${shown(value)}`,
  );
  return null;
}

function readBreaker(queue: OptionReader): BreakerSettings | null {
  const value = queue.raw('breaker');
  if (value === undefined || value === false) return null;
  if (value === true) return BREAKER_DEFAULTS;
  const reader = queue.nested('breaker');
  reader.allowOnly(['failureRatio', 'minimum', 'window', 'openFor', 'maxOpenFor', 'probes']);
  const openForMs = reader.durationMs('openFor', BREAKER_DEFAULTS.openForMs, { min: SECOND_MS, max: DAY_MS });
  const longest = Math.max(openForMs, BREAKER_DEFAULTS.maxOpenForMs);
  return {
    failureRatio: readRatio(reader),
    minimum: reader.integer('minimum', BREAKER_DEFAULTS.minimum, { min: 1, max: 10_000 }),
    windowMs: reader.durationMs('window', BREAKER_DEFAULTS.windowMs, { min: SECOND_MS, max: DAY_MS }),
    openForMs,
    maxOpenForMs: reader.durationMs('maxOpenFor', longest, { min: openForMs, max: DAY_MS }),
    probes: reader.integer('probes', BREAKER_DEFAULTS.probes, { min: 1, max: 100 }),
  };
}

function readRatio(reader: OptionReader): number {
  const value = reader.raw('failureRatio');
  if (value === undefined) return BREAKER_DEFAULTS.failureRatio;
  if (typeof value === 'number' && value > 0 && value <= 1) return value;
  reader.refuse('failureRatio', `must be a number above 0 and at most 1, got ${shown(value)}`);
  return BREAKER_DEFAULTS.failureRatio;
}
