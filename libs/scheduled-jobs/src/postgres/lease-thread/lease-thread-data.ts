import type { ClientConfig } from 'pg';

/** What the keeper thread is handed: plain values and the shared memory. */
export interface LeaseThreadData {
  readonly memory: SharedArrayBuffer;
  readonly checkEveryMs: number;
  readonly connection: ClientConfig;
  readonly schema: string;
}

/** Options of the pool around a client, which one client has no use for. */
const POOL_OPTIONS: ReadonlySet<string> = new Set(['Client', 'Promise', 'log', 'verify', 'onConnect']);

/** What a thread can be given of a client's options, or what of them it cannot be given. */
export function handedOver(
  options: ClientConfig,
): { readonly connection: ClientConfig; readonly refused: null } | { readonly refused: readonly string[] } {
  const entries = Object.entries(options).filter(([name]) => !POOL_OPTIONS.has(name));
  const refused = entries.filter(([, value]) => !isPlain(value)).map(([name]) => name);
  return refused.length > 0 ? { refused } : { connection: Object.fromEntries(entries), refused: null };
}

/** A copy in another thread would mean the same: no functions, no instances of classes but bytes. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isPlain);
}
