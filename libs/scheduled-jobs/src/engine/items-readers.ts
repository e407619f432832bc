import { PermanentError } from '../core/errors.js';
import { shown } from '../core/job/option-reader.js';
import type { ItemKey } from '../core/job/run-items.js';
import type { ItemKeyStore, ItemsOfRun } from '../core/ports/item-key-store.js';
import type { Checkpoint } from '../core/ports/run-transactions.js';
import { keyOf, type ResolvedItemsOptions } from './items-options.js';

/** What was taken from a set for one chunk, inside its transaction. */
export interface TakenItems<T, Tx> {
  /** Those to be handled, in the order of the set. */
  readonly items: readonly T[];
  /** How much of the set this is, with what is not to be handled; 0 = nothing is left. */
  readonly size: number;
  /** How many there are no more. */
  readonly gone: number;
  /** How many were on record as failed. */
  readonly retried: number;
  /** What changes in the checkpoint behind them. */
  readonly checkpoint: Pick<Checkpoint, 'after'> | null;
  /** Takes the same out once more, without reading anything, when the first transaction was rolled back. */
  readonly takeAgain: (tx: Tx) => Promise<unknown>;
  /** The reader goes on behind them: call it once they are committed. */
  readonly committed: () => void;
}

/** Where a walk takes its items from. What is not committed is taken again. */
export interface ItemsReader<T, Tx> {
  take(at: Checkpoint, size: number, tx: Tx): Promise<TakenItems<T, Tx>>;
}

const stay = (): void => undefined;
const takeNothing = (): Promise<void> => Promise.resolve();

/** The next page of the source. @throws PermanentError when it is none, or does not go on behind `after`. */
export async function sourcePage<T, Tx>(
  options: ResolvedItemsOptions<T, Tx>,
  { after, size }: { readonly after: ItemKey | null; readonly size: number },
  tx: Tx,
): Promise<{ readonly items: readonly T[]; readonly keys: readonly ItemKey[]; readonly last: ItemKey | null }> {
  const { name, source } = options;
  const given: unknown = await source(after, size, tx);
  if (!Array.isArray(given)) {
    throw new PermanentError(`The source of "${name}" must give a list of items, got ${shown(given)}.`);
  }
  const items = given.slice(0, size) as readonly T[];
  const keys = items.map((item) => keyOf(options, item));
  const last = keys.at(-1) ?? null;
  if (last !== null && last === after) {
    throw new PermanentError(
      `The source of "${name}" gave the item ${shown(after)} again: it must give the items behind "after", in the order of their keys.`,
    );
  }
  return { items, keys, last };
}

/** Reads the source as it is, from the checkpoint on. */
export class LiveReader<T, Tx> implements ItemsReader<T, Tx> {
  constructor(private readonly options: ResolvedItemsOptions<T, Tx>) {}

  async take({ after }: Checkpoint, size: number, tx: Tx): Promise<TakenItems<T, Tx>> {
    const { items, last } = await sourcePage(this.options, { after, size }, tx);
    return {
      items,
      size: items.length,
      gone: 0,
      retried: 0,
      checkpoint: { after: last },
      takeAgain: takeNothing,
      committed: stay,
    };
  }
}

/** What readers by key need. */
export interface KeyedSet<T, Tx> {
  readonly options: ResolvedItemsOptions<T, Tx>;
  readonly of: ItemsOfRun;
  readonly keys: ItemKeyStore<Tx>;
}

/** Takes the stored keys of a frozen set, and loads their items. */
export class FrozenReader<T, Tx> implements ItemsReader<T, Tx> {
  private after = 0;

  constructor(private readonly set: KeyedSet<T, Tx>) {}

  async take(_: Checkpoint, size: number, tx: Tx): Promise<TakenItems<T, Tx>> {
    const { options, of, keys: store } = this.set;
    const page = { after: this.after, size };
    const { keys, after } = await store.takeStored(of, page, tx);
    const items = await loaded(options, keys, tx);
    return {
      items,
      size: keys.length,
      gone: keys.length - items.length,
      retried: 0,
      checkpoint: null,
      takeAgain: (again) => store.takeStored(of, page, again),
      committed: () => (this.after = after),
    };
  }
}

/** Takes the items that are on record as failed up to a token: by their keys, or else from the source from its start. */
export class FailedReader<T, Tx> implements ItemsReader<T, Tx> {
  private afterKey = '';
  private afterSource: ItemKey | null = null;

  constructor(
    private readonly set: KeyedSet<T, Tx>,
    private readonly upToToken: string,
  ) {}

  take(_: Checkpoint, size: number, tx: Tx): Promise<TakenItems<T, Tx>> {
    return this.set.options.load === null ? this.takeFromSource(size, tx) : this.takeByKey(size, tx);
  }

  private async takeByKey(size: number, tx: Tx): Promise<TakenItems<T, Tx>> {
    const keys = await this.failed(size, null, tx);
    const items = await loaded(this.set.options, keys, tx);
    return this.taken(items, keys, () => (this.afterKey = String(keys.at(-1))));
  }

  private async takeFromSource(size: number, tx: Tx): Promise<TakenItems<T, Tx>> {
    const page = await sourcePage(this.set.options, { after: this.afterSource, size }, tx);
    // What is left behind the end of the source is gone.
    if (page.last === null) return this.taken([], await this.failed(size, null, tx), stay);
    const texts = page.keys.map(String);
    const keys = await this.failed(size, texts, tx);
    const failed = new Set(keys.map(String));
    const items = page.items.filter((_, index) => failed.delete(texts[index] as string));
    return { ...this.taken(items, keys, () => (this.afterSource = page.last)), size: page.items.length };
  }

  private failed(size: number, among: readonly string[] | null, tx: Tx): Promise<readonly ItemKey[]> {
    const { keys, of } = this.set;
    return keys.takeFailed(of, { upToToken: this.upToToken, after: this.afterKey, among, size }, tx);
  }

  private taken(items: readonly T[], keys: readonly ItemKey[], committed: () => void): TakenItems<T, Tx> {
    const { length } = keys;
    const takeAgain = (tx: Tx) => this.failed(length, keys.map(String), tx);
    return {
      items,
      size: length,
      gone: length - items.length,
      retried: length,
      checkpoint: null,
      takeAgain,
      committed,
    };
  }
}

/** The items of some keys, in their order, without those that are gone. */
async function loaded<T, Tx>(
  options: ResolvedItemsOptions<T, Tx>,
  keys: readonly ItemKey[],
  tx: Tx,
): Promise<readonly T[]> {
  const { name, load } = options;
  if (load === null || keys.length === 0) return [];
  const given: unknown = await load(keys, tx);
  if (!Array.isArray(given)) {
    throw new PermanentError(`"load" of "${name}" must give a list of items, got ${shown(given)}.`);
  }
  const found = new Map((given as readonly T[]).map((item) => [String(keyOf(options, item)), item]));
  const wanted = new Set(keys.map(String));
  const foreign = [...found.keys()].find((key) => !wanted.has(key));
  if (foreign !== undefined) {
    throw new PermanentError(`"load" of "${name}" gave the item ${shown(foreign)}, which was not asked for.`);
  }
  return [...wanted].flatMap((key) => (found.has(key) ? [found.get(key) as T] : []));
}
