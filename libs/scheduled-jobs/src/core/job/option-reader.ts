import { durationText, parseDuration } from '../duration.js';
import { nearest } from './nearest-name.js';

/** Bounds of a numeric or duration option, both inclusive. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A value as a message may show it: short, and never a whole object. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const DURATION_HINT = 'such as "30s" or "15m" (ms, s, m, h, d; not negative)';

function within({ min, max }: Bounds): string {
  if (max === Number.POSITIVE_INFINITY) return `of at least ${durationText(min)}`;
  return min === 0 ? `of at most ${durationText(max)}` : `between ${durationText(min)} and ${durationText(max)}`;
}

/**
 * Reads one options object and notes every problem instead of stopping at the first. A value that was refused reads as
 * the default, so that reading can go on.
 */
export class OptionReader {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    private readonly path: string,
    private readonly problems: string[],
  ) {
    const usable = value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
    if (!usable) this.refuse(path === '' ? 'the options' : '', `must be an object, got ${shown(value)}`);
    this.values = usable && value !== undefined ? (value as Readonly<Record<string, unknown>>) : {};
  }

  /** Notes a problem of the option `name` of this object. */
  refuse(name: string, text: string): void {
    this.problems.push(`${[this.path, name].filter(Boolean).join('.')} ${text}`.trim());
  }

  /** Refuses names that are not options; `replaced` says what to use instead of names other libraries have. */
  allowOnly(names: readonly string[], replaced: Readonly<Record<string, string>> = {}): void {
    for (const name of Object.keys(this.values)) {
      if (names.includes(name) || this.values[name] === undefined) continue;
      const hint = Object.hasOwn(replaced, name) ? replaced[name] : undefined;
      const close = nearest(name, names);
      this.refuse(name, hint ?? (close === null ? 'is not an option' : `is not an option. Did you mean "${close}"?`));
    }
  }

  raw(name: string): unknown {
    return this.values[name];
  }

  /** A reader of a nested options object. */
  nested(name: string): OptionReader {
    return new OptionReader(this.values[name], [this.path, name].filter(Boolean).join('.'), this.problems);
  }

  durationMs<D>(name: string, fallback: D, bounds: Partial<Bounds> = {}): number | D {
    const value = this.values[name];
    if (value === undefined) return fallback;
    const ms = parseDuration(value);
    const { min = 0, max = Number.POSITIVE_INFINITY } = bounds;
    if (ms !== null && ms >= min && ms <= max) return ms;
    this.refuse(name, `must be a duration ${ms === null ? DURATION_HINT : within({ min, max })}, got ${shown(value)}`);
    return fallback;
  }

  integer<D>(name: string, fallback: D, bounds: Bounds): number | D {
    const value = this.values[name];
    if (value === undefined) return fallback;
    if (Number.isInteger(value) && (value as number) >= bounds.min && (value as number) <= bounds.max) {
      return value as number;
    }
    this.refuse(name, `must be a whole number from ${bounds.min} to ${bounds.max}, got ${shown(value)}`);
    return fallback;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.values[name];
    if (value === undefined || typeof value === 'boolean') return value ?? fallback;
    this.refuse(name, `must be true or false, got ${shown(value)}`);
    return fallback;
  }

  text<D>(name: string, fallback: D, shape: { readonly pattern: RegExp; readonly hint: string }): string | D {
    const value = this.values[name];
    if (value === undefined) return fallback;
    if (typeof value === 'string' && shape.pattern.test(value)) return value;
    this.refuse(name, `must be ${shape.hint}, got ${shown(value)}`);
    return fallback;
  }

  oneOf<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    const value = this.values[name];
    if (value === undefined) return fallback;
    if (choices.includes(value as T)) return value as T;
    this.refuse(name, `must be one of ${choices.map((c) => `"${c}"`).join(', ')}, got ${shown(value)}`);
    return fallback;
  }

  /** A function or, as `kind` says, a class; what it takes and gives cannot be checked before it is called. */
  function<F>(name: string, kind: 'a function' | 'a class' = 'a function'): F | null {
    const value = this.values[name];
    if (value === undefined) return null;
    if (typeof value === 'function') return value as F;
    this.refuse(name, `must be ${kind}, got ${shown(value)}`);
    return null;
  }
}
