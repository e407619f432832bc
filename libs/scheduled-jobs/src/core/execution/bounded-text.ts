// U+0000, which PostgreSQL cannot store, and halves of surrogate pairs; pairs are one code point here and do not match.
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Stands at the end of every text that was cut. */
export const CUT_MARK = ' … [truncated]';

/** Replaces what PostgreSQL cannot store by U+FFFD. */
export const replaceUnstorable = (text: string): string => text.replace(UNSTORABLE, '\uFFFD');

/** The size of a text as it is stored, in bytes of UTF-8. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a text to at most `maxBytes` bytes of UTF-8, the mark included, never inside a code point. */
export function cutText(text: string, maxBytes: number): string {
  // Each unit of UTF-16 takes at most three bytes; most texts need no counting.
  if (text.length * 3 <= maxBytes) return text;
  const encoder = new TextEncoder();
  if (text.length <= maxBytes && encoder.encode(text).length <= maxBytes) return text;
  const room = Math.max(maxBytes - encoder.encode(CUT_MARK).length, 0);
  const { read } = encoder.encodeInto(text, new Uint8Array(room));
  return text.slice(0, read) + CUT_MARK;
}
