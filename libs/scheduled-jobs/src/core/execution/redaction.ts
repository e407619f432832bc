/** Stands where a secret was. */
const REDACTED = '[redacted]';

const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
// "tokens" is left alone: it is a count more often than a secret.
const SECRET_NAME = String.raw`pass(?:word|wd|phrase)|pwd|secret|token(?!s)|api[-_]?key|access[-_]?key|private[-_]?key|credential|authorization|cookie`;
const SECRET_KEY = new RegExp(SECRET_NAME, 'i');

// Every quantifier before a fixed part is bounded, so that no text makes the search slow.
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // scheme://user:password@host
  [/:\/\/([^\s:/?#@]{0,256}):[^\s/?#]{1,1024}@/g, `://$1:${REDACTED}@`],
  [/-----BEGIN ([A-Z ]{0,40})PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, REDACTED],
  // Authorization: Basic …, "authorization":"Bearer …"
  [/\b((?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?)[^\r\n"',;}]+/gi, `$1${REDACTED}`],
  [/\b(Bearer\s{1,8})[\w.~+/=-]{8,}/gi, `$1${REDACTED}`],
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, REDACTED],
  [
    new RegExp(
      String.raw`((?:${SECRET_NAME})[\w.-]{0,64}["']?\s{0,8}[:=]\s{0,8})(?!["']?\[redacted\])("[^"]*"|'[^']*'|[^\s,;&"')}\]]+)`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
];

/** Plain data that JSON can hold. */
export type PlainValue =
  null | boolean | number | string | readonly PlainValue[] | { readonly [name: string]: PlainValue };

/** Removes passwords of connection strings, authorization headers, and values of names such as `token` from a text. */
export const redactText = (text: string): string =>
  RULES.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);

/** Tells a name whose value is not to be stored, such as `password` or `x-api-key`. */
const isSecretName = (name: string): boolean => SECRET_KEY.test(name);

/**
 * Turns any value into plain data without secrets: values under secret names and secrets inside texts are replaced.
 * Bounded: six levels, 100 members each; what cannot be read says so. Never throws.
 */
export const redactFields = (value: unknown): PlainValue => plain(value, 0, new Set());

function plain(value: unknown, depth: number, open: Set<object>): PlainValue {
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : plainObject(value, depth, open);
    default:
      return typeof value === 'function' ? '[function]' : redactText(String(value));
  }
}

function plainObject(value: object, depth: number, open: Set<object>): PlainValue {
  if (open.has(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[too deep]';
  open.add(value);
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
    if (value instanceof Error) return redactText(`${value.name}: ${value.message}`);
    if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((member) => plain(member, depth + 1, open));
    return Object.fromEntries(
      Object.keys(value)
        .slice(0, MAX_MEMBERS)
        .map((name) => [name, plainMember(value, name, depth, open)]),
    );
  } catch {
    return '[unreadable]';
  } finally {
    open.delete(value);
  }
}

function plainMember(owner: object, name: string, depth: number, open: Set<object>): PlainValue {
  try {
    const value = (owner as Readonly<Record<string, unknown>>)[name];
    if (isSecretName(name) && value !== null && value !== undefined && typeof value !== 'boolean') return REDACTED;
    return plain(value, depth + 1, open);
  } catch {
    return '[unreadable]';
  }
}
