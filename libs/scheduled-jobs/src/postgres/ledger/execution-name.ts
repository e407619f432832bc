import { isId } from './cursor.js';

/** What one execution is looked up by: its id, or the key that it used. */
export interface ExecutionName {
  readonly id: string | null;
  readonly key: string | null;
}

const KEY_OF_ID = /^[^:]+:id:(\d+)$/;

/** Keys hold a colon, ids do not. A key made from an id is in no table of keys. Null = it can be neither. */
export function executionName(keyOrId: string): ExecutionName | null {
  if (keyOrId.includes('\u0000')) return null;
  const id = keyOrId.includes(':') ? (KEY_OF_ID.exec(keyOrId)?.[1] ?? null) : keyOrId;
  if (id === null) return { id: null, key: keyOrId };
  return isId(id) ? { id, key: null } : null;
}

/** Tells whether an execution that was found is the one that was named: any job may stand before an id. */
export const isNamed = (keyOrId: string, { key }: { readonly key: string }): boolean =>
  !keyOrId.includes(':') || key === keyOrId;
