import { createHash } from 'node:crypto';
import { parseInstant } from '../../core/instant-text.js';

/** The position behind which a page goes on. */
export type Position = readonly string[];

/** A short digest of whatever decides which rows a list has and in what order. */
export const filterDigest = (filter: unknown): string =>
  createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 12);

/** Packs a position for the outside, together with the digest of the filter it belongs to. */
export const encodeCursor = (digest: string, position: Position): string =>
  Buffer.from(JSON.stringify([digest, ...position])).toString('base64url');

/** Unpacks a position; null = it is no cursor, or one of another filter. */
export function decodeCursor(cursor: string, digest: string): Position | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return null;
    const [owner, ...position] = parts;
    return owner === digest ? position : null;
  } catch {
    return null;
  }
}

const MAX_ID = 9_223_372_036_854_775_807n;

/** Tells whether a text is an id or a lease token. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_ID;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Tells whether a text is an instant as cursors hold them. Anybody can make a cursor: the database has no year 0000. */
export const isInstantText = (text: string): boolean =>
  INSTANT.test(text) && !text.startsWith('0000') && parseInstant(text) !== null;
