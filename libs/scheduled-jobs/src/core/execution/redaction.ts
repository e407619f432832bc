import { CUT_MARK } from './bounded-text.js';
import {
  isSecret,
  REDACTED,
  redactJwts,
  redactNamedValues,
  redactPrivateKeys,
  redactTokens,
  redactUrlPasswords,
} from './secret-scans.js';

/** How much of a value is kept. */
interface Extent {
  readonly depth: number;
  readonly members: number;
  readonly textLength: number;
}

const LOGGED: Extent = { depth: 6, members: 100, textLength: 16_384 };
/** A stored value is bounded already. */
const STORED: Extent = { depth: 64, members: Number.POSITIVE_INFINITY, textLength: Number.POSITIVE_INFINITY };
/** A word that a cut may have split: longer ones hardly are secrets. */
const MAX_WORD_LENGTH = 1_024;

/** Plain data that JSON can hold. */
export type PlainValue =
  null | boolean | number | string | readonly PlainValue[] | { readonly [name: string]: PlainValue };

/**
 * Removes what looks like a secret from a text: private keys, values of names such as `password` and of headers such as
 * `Authorization` and `Cookie`, passwords of connection strings, JSON Web Tokens and tokens of known forms. The time it
 * takes grows with the length alone.
 */
export const redactText = (text: string): string =>
  redactTokens(redactJwts(redactUrlPasswords(redactNamedValues(redactPrivateKeys(text)))));

/** The same for at most about `maxLength` characters; the cut leaves no first half of a secret behind. */
export function redactStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return redactText(text);
  const start = Math.max(maxLength - MAX_WORD_LENGTH, 0);
  const lastBlank = Math.max(text.slice(start, maxLength).search(/\s\S*$/), 0);
  return redactText(text.slice(0, start + lastBlank)) + CUT_MARK;
}

/**
 * Turns any value into plain data without secrets: values under secret names and secrets inside texts are replaced.
 * Bounded: six levels, 100 members each, 16 KiB of a text; what cannot be read says so. Never throws.
 */
export const redactFields = (value: unknown): PlainValue => plain(value, { extent: LOGGED, depth: 0, open: new Set() });

/** The same for a value that is stored, and so is bounded plain data already: all of it is kept. */
export const redactStored = (value: unknown): PlainValue => plain(value, { extent: STORED, depth: 0, open: new Set() });

interface Place {
  readonly extent: Extent;
  readonly depth: number;
  readonly open: Set<object>;
}

function plain(value: unknown, place: Place): PlainValue {
  switch (typeof value) {
    case 'string':
      return redactStart(value, place.extent.textLength);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : plainObject(value, place);
    default:
      return typeof value === 'function' ? '[function]' : redactText(String(value));
  }
}

function plainObject(value: object, { extent, depth, open }: Place): PlainValue {
  if (open.has(value)) return '[circular]';
  if (depth >= extent.depth) return '[too deep]';
  open.add(value);
  const below: Place = { extent, depth: depth + 1, open };
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
    if (value instanceof Error) return redactStart(`${value.name}: ${value.message}`, extent.textLength);
    if (Array.isArray(value)) return value.slice(0, extent.members).map((member) => plain(member, below));
    const names = Object.keys(value).slice(0, extent.members);
    return Object.fromEntries(names.map((name) => [redactText(name), plainMember(value, name, below)]));
  } catch {
    return '[unreadable]';
  } finally {
    open.delete(value);
  }
}

function plainMember(owner: object, name: string, place: Place): PlainValue {
  try {
    const value = (owner as Readonly<Record<string, unknown>>)[name];
    return isSecret(name, value) ? REDACTED : plain(value, place);
  } catch {
    return '[unreadable]';
  }
}
