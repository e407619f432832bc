import type { Page } from '../../core/ports/ledger-reader.js';
import { boundedPage } from './bounded-page.js';
import { decodeCursor, encodeCursor, isId } from './cursor.js';

/** Reads the cursor of a list that goes by id, and notes when it is none of this list; null = from the start. */
export function readIdCursor(cursor: unknown, digest: string, problems: string[]): string | null {
  if (cursor === undefined) return null;
  const [id, ...rest] = typeof cursor === 'string' ? (decodeCursor(cursor, digest) ?? []) : [];
  if (id !== undefined && isId(id) && rest.length === 0) return id;
  problems.push('cursor is not one of a page with the same filter. Start again without it.');
  return null;
}

/** Packs behind which id a list goes on. */
export const idCursor = (id: string, digest: string): string => encodeCursor(digest, [id]);

/** A page of rows of which one more was asked for. */
export function idPage<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  { limit, digest, item }: { readonly limit: number; readonly digest: string; readonly item: (row: Row) => Item },
): Page<Item> {
  const { items, last } = boundedPage(rows, limit, item);
  return { items, nextCursor: last === null ? null : idCursor(last.id, digest) };
}
