import { byteLength } from './bounded-text.js';
import { thrownText } from './stored-error.js';

const MAX_BYTES = 262_144;
const MAX_DEPTH = 32;

/** What a handler returned, as it is stored. */
export interface StoredResult {
  /** JSON text of at most 256 KiB; null = nothing is stored. */
  readonly json: string | null;
  /** Why nothing is stored although the handler returned something. */
  readonly note: string | null;
}

const NOTHING: StoredResult = { json: null, note: null };
const refused = (why: string): StoredResult => ({ json: null, note: `The result is not stored: ${why}.` });

/**
 * Turns what a handler returned into JSON text. The work is done by then, so a value that cannot be stored is left out
 * with a note and is never a failure.
 */
export function storeResult(value: unknown): StoredResult {
  if (value === undefined || value === null) return NOTHING;
  let json: string | undefined;
  try {
    json = JSON.stringify(value) as string | undefined;
  } catch (error) {
    return refused(reasonOf(error));
  }
  if (json === undefined) return refused(`a ${typeof value} is not plain data`);
  const bytes = byteLength(json);
  if (bytes > MAX_BYTES) return refused(`it has ${bytes} bytes as JSON, more than ${MAX_BYTES}`);
  if (depthOf(json) > MAX_DEPTH) return refused(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (hasUnstorableEscape(json)) return refused('it contains U+0000 or half of a surrogate pair');
  return { json, note: null };
}

/** JSON.stringify explains a circle in several lines. */
const reasonOf = (error: unknown): string => `it is not plain data (${thrownText(error).split('\n', 1).join()})`;

// JSON.stringify writes U+0000 and lone surrogates as escapes; escaped backslashes are taken out before looking for them.
const hasUnstorableEscape = (json: string): boolean => /\\u(?:0000|d[89a-f])/i.test(json.replaceAll('\\\\', ''));

/** How deeply the brackets of a JSON text are nested. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}
