import { InvalidQueryError } from '../../core/errors.js';
import { decodeCursor, encodeCursor, filterDigest, isInstantText } from '../../postgres/ledger/cursor.js';
import { timeWindow } from './time-window.js';
import type { WindowPageDto } from './window.dto.js';

/** A window, and the place in it where a page goes on. */
export interface WindowPage {
  readonly from: Date;
  readonly to: Date;
  /** What the cursor says of it; null = from the start. */
  readonly after: string | null;
  /** The cursor of the next page. */
  cursorAt(place: string): string;
}

/**
 * Reads the window of a page. A cursor carries it, so that all pages have the same one although its end is now by default.
 * @param list What decides which list it is, beside the window.
 * @throws InvalidQueryError
 */
export function windowPage({ from, to, cursor }: WindowPageDto, list: readonly unknown[], now: Date): WindowPage {
  const digest = filterDigest([...list, from ?? null, to ?? null]);
  const [start, end, after] = cursor === undefined ? [] : readCursor(cursor, digest);
  const window = timeWindow({ from: start ?? from, to: end ?? to } as { from?: string; to?: string }, now);
  const texts = [window.from.toISOString(), window.to.toISOString()];
  return { ...window, after: after ?? null, cursorAt: (place) => encodeCursor(digest, [...texts, place]) };
}

function readCursor(cursor: string, digest: string): readonly string[] {
  const position = decodeCursor(cursor, digest) ?? [];
  const [from = '', to = '', after = ''] = position;
  const isOurs = position.length === 3 && [from, to].every(isInstantText) && !after.includes('\0');
  if (isOurs) return position;
  throw new InvalidQueryError(['cursor is not one of a page with the same filter. Start again without it.']);
}
