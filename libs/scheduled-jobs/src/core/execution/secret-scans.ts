/** Stands where a secret was. */
export const REDACTED = '[redacted]';

// Each scan reads a text once: what it has looked at without success it does not look at again. No regular expression here
// has a part that can grow and then fail, so that no text makes a scan slow.

const MAX_NAME_LENGTH = 100;
const MAX_BLANKS = 8;
const MAX_PASSWORD_LENGTH = 1_024;
/** How far a password with a slash in it is followed. */
const MAX_SLASHED_LENGTH = 64;
const MAX_HEADER_LENGTH = 60;

const USER_END = /[\s:/?#@[\]"'<>`]/g;
const PASSWORD_END = /[\s/?#"'<>`]/g;
const WORD_END = /[\s,;&"')}\]]/g;
const LINE_END = /[\r\n]/g;
const HEADER_END = /[\r\n"']/g;
const TOKEN_PART_END = /[^\w-]/g;

/** Marks the codes of characters, all of ASCII. Sets and regular expressions are slow where every character is asked about. */
function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (let at = 0; at < characters.length; at++) codes[characters.charCodeAt(at)] = 1;
  return codes;
}

const SEPARATOR = codesOf(':=');
const NAME = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-');
/** What may stand between a name and its separator. */
const NAME_GAP = codesOf(' \t\r\n"\'\\');

/** Names whose values are secrets. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|jwt|api[-_]?key|a(?:ccess|ccount|uth)[-_]?key|(?:private|encryption|signing)[-_]?key|connection[-_]?string|session[-_]?(?:id|key)|signature|credential|authorization|cookie/i;
/** Headers whose values have blanks in them. */
const SECRET_HEADER = /(?:authorization|cookie)$/i;
/** A count more often than a secret. */
const COUNTED_NAME = /tokens$/i;

/** Tells a name whose value is not to be shown, such as `password` or `x-api-key`, unless it is a number of tokens. */
export function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (!SECRET_NAME.test(name)) return false;
  const isCount = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  return !(isCount && COUNTED_NAME.test(name));
}

/** Builds a text from pieces of another one. */
class Rewriting {
  private readonly pieces: string[] = [];
  private keptTo = 0;

  constructor(readonly text: string) {}

  replace(from: number, to: number, replacement: string): void {
    this.pieces.push(this.text.slice(this.keptTo, from), replacement);
    this.keptTo = to;
  }

  get result(): string {
    return this.pieces.length === 0 ? this.text : this.pieces.join('') + this.text.slice(this.keptTo);
  }
}

/** The first place from `from` on where a global pattern of one character matches, or the end. */
function nextAt(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

/** Private keys in PEM form; one without an end goes on to the end of the text. */
export function redactPrivateKeys(text: string): string {
  const rewriting = new Rewriting(text);
  for (let at = text.indexOf('-----BEGIN '); at >= 0;) {
    const header = text.slice(at, at + MAX_HEADER_LENGTH);
    const isPrivate = /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(header);
    let next = at + 1;
    if (isPrivate) {
      const end = text.indexOf('-----END ', at);
      const dashes = end < 0 ? -1 : text.indexOf('-----', end + 9);
      next = dashes < 0 ? text.length : dashes + 5;
      rewriting.replace(at, next, REDACTED);
    }
    at = text.indexOf('-----BEGIN ', next);
  }
  return rewriting.result;
}

/** Passwords of URLs: `scheme://user:password@host`, also where the password has a slash in it. */
export function redactUrlPasswords(text: string): string {
  const rewriting = new Rewriting(text);
  let host = text.indexOf('@');
  for (let at = text.indexOf('://'); at >= 0 && host >= 0;) {
    const from = nextAt(USER_END, text, at + 3) + 1;
    if (host < from) host = text.indexOf('@', from);
    const to = text.charAt(from - 1) === ':' ? passwordEnd(text, from, host) : from;
    if (to > from) rewriting.replace(from, to, REDACTED);
    at = text.indexOf('://', to > from ? to : at + 3);
  }
  return rewriting.result;
}

/**
 * Where the password ends that begins behind a colon; `from`, if it is none but a port.
 * @param host The next `@`; -1 = there is none.
 */
function passwordEnd(text: string, from: number, host: number): number {
  if (host < 0 || host - from > MAX_PASSWORD_LENGTH) return from;
  const end = nextAt(PASSWORD_END, text, from);
  if (host < end) return from + text.slice(from, end).lastIndexOf('@');
  // Not a port: the slash belongs to a password that was not encoded.
  const isPort = end - from <= 5 && /^\d*$/.test(text.slice(from, end));
  if (isPort || host - end > MAX_SLASHED_LENGTH) return from;
  return /[\s"'<>`]/.test(text.slice(end, host)) ? from : host;
}

/** Values behind secret names: `password=…`, `"apiKey": "…"`, `Authorization: …`. */
export function redactNamedValues(text: string): string {
  const rewriting = new Rewriting(text);
  for (let at = separatorAt(text, 0); at < text.length;) {
    const name = nameBefore(text, at);
    let next = at + 1;
    if (name !== '' && SECRET_NAME.test(name)) {
      const { from, to } = SECRET_HEADER.test(name) ? headerValue(text, next) : namedValue(text, next);
      next = Math.max(next, to);
      if (isSecret(name, text.slice(from, to)) && from < to) rewriting.replace(from, to, REDACTED);
    }
    at = separatorAt(text, next);
  }
  return rewriting.result;
}

function separatorAt(text: string, from: number): number {
  let at = from;
  while (at < text.length && SEPARATOR[text.charCodeAt(at)] !== 1) at++;
  return at;
}

/** The name before a separator, without quotes and blanks around it. */
function nameBefore(text: string, separator: number): string {
  let end = separator;
  while (separator - end < MAX_BLANKS && NAME_GAP[text.charCodeAt(end - 1)] === 1) end--;
  let start = end;
  while (end - start < MAX_NAME_LENGTH && NAME[text.charCodeAt(start - 1)] === 1) start--;
  return text.slice(start, end);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < MAX_BLANKS && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** A quoted value with its quotes, or one word. */
function namedValue(text: string, from: number): Span {
  const at = afterBlanks(text, from);
  if (text.startsWith(REDACTED, at)) return { from: at, to: at };
  const quote = quoteAt(text, at);
  if (quote === '') return { from: at, to: nextAt(WORD_END, text, at) };
  const closing = closingAt(text, at + quote.length, quote);
  return { from: at, to: closing === null ? nextAt(LINE_END, text, at) : closing + quote.length };
}

/** What stands in the quotes, or the rest of the line. */
function headerValue(text: string, from: number): Span {
  const at = afterBlanks(text, from);
  const quote = quoteAt(text, at);
  const start = at + quote.length;
  if (quote === '') return { from: start, to: nextAt(HEADER_END, text, start) };
  return { from: start, to: closingAt(text, start, quote) ?? nextAt(LINE_END, text, start) };
}

/** A quote, in JSON inside of JSON with backslashes before it. */
const quoteAt = (text: string, at: number): string => /^\\{0,7}["']/.exec(text.slice(at, at + MAX_BLANKS))?.[0] ?? '';

/** Where the quote stands that closes a quoted value; null = nowhere. */
function closingAt(text: string, from: number, quote: string): number | null {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (text.charAt(at - 1) !== '\\' || at === from) return at;
  }
  return null;
}

/** JSON Web Tokens. */
export function redactJwts(text: string): string {
  const rewriting = new Rewriting(text);
  for (let at = text.indexOf('eyJ'); at >= 0;) {
    const header = nextAt(TOKEN_PART_END, text, at);
    const payload = nextAt(TOKEN_PART_END, text, header + 1);
    const isToken = header - at >= 11 && text[header] === '.' && payload - header >= 5 && text[payload] === '.';
    const signature = nextAt(TOKEN_PART_END, text, payload + 1);
    if (isToken) rewriting.replace(at, signature, REDACTED);
    at = text.indexOf('eyJ', isToken ? signature : header);
  }
  return rewriting.result;
}

/** Tokens that are known by how they begin. Each part behind a beginning is as long as it can be, or fails soon. */
const KNOWN_TOKENS =
  /\b(?:gh[opusr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{16,}|xox[abprs]-[\w-]{8,}|sk-[\w-]{16,}|[rs]k_(?:live|test)_[A-Za-z0-9]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{30,})/g;
const BEARER = /\b(Bearer\s{1,8})[\w.~+/=-]{8,}/gi;

export const redactTokens = (text: string): string =>
  text.replace(KNOWN_TOKENS, REDACTED).replace(BEARER, `$1${REDACTED}`);
