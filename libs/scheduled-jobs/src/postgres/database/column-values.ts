const BOOL = 16;
const INT2 = 21;
const INT4 = 23;
const FLOAT4 = 700;
const FLOAT8 = 701;
const JSON_TEXT = 114;
const JSONB = 3802;
const TIMESTAMPTZ = 1184;

const INSTANT = /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Reads PostgreSQL's text of an instant, whatever time zone the session shows it in; microseconds are cut off. */
export function parseInstant(text: string): Date {
  const sign = text.at(-3);
  // Years of four digits and an offset of whole hours: the platform reads these much faster.
  if (text[10] === ' ' && (sign === '+' || sign === '-')) return new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`);
  return parseUnusualInstant(text);
}

function parseUnusualInstant(text: string): Date {
  const match = INSTANT.exec(text);
  if (match === null) return new Date(Number.NaN);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millis = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offsetMs = (Number(match[9]) * 3600 + Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0)) * 1000;
  // Date.UTC would take the years 0 to 99 for those of the last century.
  const wallMs = new Date(Date.UTC(2000, month - 1, day, hour, minute, second, millis)).setUTCFullYear(
    year,
    month - 1,
    day,
  );
  return new Date(match[8] === '-' ? wallMs + offsetMs : wallMs - offsetMs);
}

/** The instant of seconds since 1970, as PostgreSQL computes them; microseconds are cut off, errors of the binary fraction not. */
export const instantOf = (seconds: number): Date => new Date(Math.floor(seconds * 1_000 + 0.0005));

/** An instant as seconds since 1970. */
export const secondsOf = (instant: Date | null): number | null => (instant === null ? null : instant.getTime() / 1_000);

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [INT2, Number],
  [INT4, Number],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [JSON_TEXT, (text) => JSON.parse(text) as unknown],
  [JSONB, (text) => JSON.parse(text) as unknown],
  [TIMESTAMPTZ, parseInstant],
]);

const asText = (text: string): unknown => text;

/** Parsers for the results of our own statements, so that those of the host application do not apply. */
export const COLUMN_TYPES = {
  getTypeParser: (type: number): ((text: string) => unknown) => PARSERS.get(type) ?? asText,
};

/** A bound value as text that means the same under every setting of the session and of the driver. */
export function boundValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) && value.some(isConverted) ? value.map(boundValue) : value;
}

const isConverted = (value: unknown): boolean => value instanceof Date || Array.isArray(value);

/** A bound value as the driver is to send it: long lists as text, which the driver would make by two searches an element. */
export function parameter(value: unknown): unknown {
  if (!Array.isArray(value)) return boundValue(value);
  if (value.every(isNumber)) return `{${value.join()}}`;
  // Most lists are of ids and their like: one text is made at once, and none for each element.
  if (value.every(isBare)) return `{"${value.join('","')}"}`;
  return value.every(isPlain) ? `{${value.map(elementText).join()}}` : boundValue(value);
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isBare = (value: unknown): boolean => typeof value === 'string' && !value.includes('"') && !value.includes('\\');

type Plain = string | number | null;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' || typeof value === 'number' || value === null;

const SPECIAL = /["\\]/g;

function elementText(value: Plain): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `"${value.replaceAll(SPECIAL, String.raw`\$&`)}"`;
}
