/** The key of an item: what the source goes on behind. A number, or a text of 1–300 characters. */
export type ItemKey = string | number;

/** A set of items that `run.items` walks in the order of their keys. */
export interface ItemsOptions<T, Tx> {
  /** Names the checkpoint; unique within the handler. 1–100 characters. */
  readonly name: string;
  /** The next items behind `after` (null = from the start), at most `size`, in key order; an empty list ends the walk. */
  readonly source: (after: ItemKey | null, size: number, tx: Tx) => Promise<readonly T[]>;
  readonly key: (item: T) => ItemKey;
  /**
   * True = the set is what `source` gives when the first attempt walks it: the keys of all items are stored then, at most
   * 1,000,000, and later changes of the source change nothing. Needs `load`. Default false: each chunk is read from the
   * source as it is then.
   */
  readonly frozen?: boolean;
  /**
   * The items of these keys as they are now, in any order, those that are gone left out: they count as skipped. A frozen
   * set needs it; a replay of failed items uses it, and reads the whole source where there is none.
   */
  readonly load?: (keys: readonly ItemKey[], tx: Tx) => Promise<readonly T[]>;
  /** Items of one chunk, 1 … 10,000. Default 100. */
  readonly size?: number;
  /**
   * When a single item fails: `fail` ends the attempt, `skip` records the item and goes on. Default `fail`.
   */
  readonly onError?: 'fail' | 'skip';
  /** With `skip`: how many items may fail before the attempt ends. Default 100. */
  readonly maxFailures?: number;
}

/** Handles one chunk inside its transaction. */
export type ItemsHandler<T, Tx> = (items: readonly T[], tx: Tx) => Promise<void>;
