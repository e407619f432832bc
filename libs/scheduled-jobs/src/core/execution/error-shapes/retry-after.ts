import { member } from '../guarded-read.js';

const MAX_TEXT_LENGTH = 64;
const MAX_HEADERS = 200;

const SECONDS = /^\d{1,15}(?:\.\d{1,6})?$/;
const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const FIXED_DATE = new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} ${TIME} GMT$`);
/** `Sunday, 06-Nov-94 08:49:37 GMT`, of old servers */
const DASHED_DATE = new RegExp(String.raw`^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (${TIME}) GMT$`);
/** `Sun Nov  6 08:49:37 1994`, of old servers, in UTC as well */
const PLAIN_DATE = new RegExp(String.raw`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${TIME} \d{4}$`);

/** Reads a `Retry-After` text: seconds as milliseconds, one of the three forms of HTTP dates as an instant, else null. */
function parseRetryAfter(value: unknown): number | Date | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).slice(0, MAX_TEXT_LENGTH).trim();
  if (SECONDS.test(text)) return Math.ceil(Number(text) * 1_000);
  if (FIXED_DATE.test(text)) return instant(text);
  if (PLAIN_DATE.test(text)) return instant(`${text} GMT`);
  const [, day, month, year, time] = DASHED_DATE.exec(text) ?? [];
  return year === undefined ? null : instant(`${day} ${month} ${Number(year) < 70 ? 20 : 19}${year} ${time} GMT`);
}

function instant(text: string): Date | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
}

/**
 * The `Retry-After` of the headers as HTTP clients hand them over: a `Headers` or a map, an object with names in any case, a
 * list of names and values or of pairs.
 */
export function retryAfterOf(headers: unknown): number | Date | null {
  try {
    return parseRetryAfter(first(headerValue(headers)));
  } catch {
    return null; // A proxy that does not want to be listed.
  }
}

const first = (value: unknown): unknown => (Array.isArray(value) ? (value[0] as unknown) : value);

function headerValue(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (Array.isArray(headers)) return listedValue(headers.slice(0, MAX_HEADERS * 2));
  if (typeof member(headers, 'get') === 'function') {
    return (headers as { readonly get: (name: string) => unknown }).get('retry-after');
  }
  const name = Object.keys(headers).slice(0, MAX_HEADERS).find(isRetryAfter);
  return name === undefined ? undefined : member(headers, name);
}

function listedValue(list: readonly unknown[]): unknown {
  const pair = list.find((one) => Array.isArray(one) && isRetryAfter(one[0]));
  if (Array.isArray(pair)) return String(pair[1]);
  const at = list.findIndex((one, index) => index % 2 === 0 && isRetryAfter(one));
  return at < 0 ? undefined : String(list[at + 1]);
}

/** Raw headers come as bytes. */
const isRetryAfter = (name: unknown): boolean =>
  (typeof name === 'string' || name instanceof Uint8Array) && String(name).toLowerCase() === 'retry-after';
