import type { ItemKey } from '../job/run-items.js';

/** Which items of which execution. */
export interface ItemsOfRun {
  readonly executionId: string;
  readonly itemsName: string;
}

/** Which failed items to take. */
export interface FailedItemsPage {
  /** Those that failed under this lease token or a smaller one. */
  readonly upToToken: string;
  /** Behind this key, as a text; empty = from the start. */
  readonly after: string;
  /** Only these keys, as texts; null = any. */
  readonly among: readonly string[] | null;
  readonly size: number;
}

/**
 * Keys of items. Each method works in a transaction of the run, which must end with its fence; what it takes out is back
 * when that transaction rolls back.
 */
export interface ItemKeyStore<Tx> {
  /** Stores keys behind those of the set that are stored already; gives how many there are now. */
  store(of: ItemsOfRun, keys: readonly ItemKey[], tx: Tx): Promise<number>;
  /** Takes out the next stored keys behind a position, in their order; gives the position of the last one, too. */
  takeStored(
    of: ItemsOfRun,
    page: { readonly after: number; readonly size: number },
    tx: Tx,
  ): Promise<{ readonly keys: readonly ItemKey[]; readonly after: number }>;
  /** Takes out the next failed items, by key: they are not on record as failed any more. */
  takeFailed(of: ItemsOfRun, page: FailedItemsPage, tx: Tx): Promise<readonly ItemKey[]>;
}
