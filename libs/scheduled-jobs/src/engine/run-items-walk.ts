import {
  ExecutionCanceledError,
  isRetryLaterError,
  ItemsFailedError,
  LeaseLostError,
  PermanentError,
  StoreUnavailableError,
} from '../core/errors.js';
import { addCounts, NO_COUNTS, type Counts } from '../core/execution/counts.js';
import { isA } from '../core/execution/guarded-read.js';
import { storeError } from '../core/execution/stored-error.js';
import type { ItemsHandler, ItemsOptions } from '../core/job/run-items.js';
import type { ItemKeyStore } from '../core/ports/item-key-store.js';
import type { Checkpoint, CommittedWith, FoundCheckpoint } from '../core/ports/run-transactions.js';
import { keyOf, resolveItemsOptions, type ResolvedItemsOptions } from './items-options.js';
import {
  FailedReader,
  FrozenReader,
  LiveReader,
  sourcePage,
  type ItemsReader,
  type KeyedSet,
  type TakenItems,
} from './items-readers.js';

/** What a walk needs of its run. */
export interface ItemsWalkRun<Tx> {
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly keys: ItemKeyStore<Tx>;
  checkpoint(itemsName: string): Promise<FoundCheckpoint | null>;
  /** Runs `work` in a transaction of its own and commits what `committedWith` says with it. */
  commit<T>(work: (tx: Tx) => Promise<T>, committedWith: (value: T) => CommittedWith): Promise<T>;
}

/** What a finished walk found. */
export interface WalkedItems {
  /** Of this attempt. */
  readonly counts: Counts;
  /** Items recorded as failed, earlier attempts included. */
  readonly failures: number;
}

/** A chunk that was committed, or what failed when its items were handled. */
interface Chunk<T, Tx> {
  readonly taken: TakenItems<T, Tx>;
  readonly failure: { readonly error: unknown } | null;
  /** The checkpoint behind it. */
  readonly next: Checkpoint;
}

/** How many keys of a frozen set are stored in a transaction, and at most altogether. */
const STORED_AT_ONCE = 1_000;
const MAX_FROZEN = 1_000_000;

/**
 * The walk of `run.items`: from the checkpoint on, chunk by chunk, until nothing is left of the set. A frozen set is stored
 * first. After a replay the items that are on record as failed are handled once more.
 *
 * A chunk is one transaction: what is taken from the set, the handler's changes, the checkpoint behind its last item and the
 * counts commit together or not at all. A chunk that fails has changed nothing; its items are taken again one by one, each
 * in a transaction of its own; so only the items that fail by themselves are left, and `onError` decides about them. A
 * failed item is recorded together with the checkpoint that goes behind it.
 */
export class RunItemsWalk<T, Tx> {
  private readonly options: ResolvedItemsOptions<T, Tx>;
  private counts = NO_COUNTS;

  /** @throws InvalidOptionsError */
  constructor(
    options: ItemsOptions<T, Tx>,
    private readonly handler: ItemsHandler<T, Tx>,
    private readonly run: ItemsWalkRun<Tx>,
  ) {
    this.options = resolveItemsOptions(options);
  }

  /** The name of its checkpoint. */
  get name(): string {
    return this.options.name;
  }

  /** @throws ItemsFailedError, LeaseLostError, ExecutionCanceledError, the signal's reason; what source and load throw. */
  async walk(): Promise<WalkedItems> {
    const { retryUpTo, ...found } = (await this.run.checkpoint(this.name)) ?? this.start();
    let at: Checkpoint = found;
    if (!at.done) at = await this.handleAll(this.readerOf(at), await this.freeze(at));
    if (retryUpTo !== undefined) at = await this.handleAll(new FailedReader(this.set, retryUpTo), at);
    return { counts: this.counts, failures: at.failures };
  }

  private start(): FoundCheckpoint {
    const start = { itemsName: this.name, after: null, done: false, failures: 0 };
    return this.options.frozen ? { ...start, frozen: 'storing' } : start;
  }

  private get set(): KeyedSet<T, Tx> {
    const { options, run } = this;
    return { options, keys: run.keys, of: { executionId: run.executionId, itemsName: options.name } };
  }

  /** As the first attempt began, so it goes on, whatever the options say by now. */
  private readerOf({ frozen }: Checkpoint): ItemsReader<T, Tx> {
    if (frozen === undefined) return new LiveReader(this.options);
    if (this.options.load !== null) return new FrozenReader(this.set);
    throw new PermanentError(
      `The items "${this.name}" of this execution were frozen when its first attempt began: give "load" until it has ended.`,
    );
  }

  /** Stores the keys of a frozen set, page by page, behind those that an earlier attempt has stored. */
  private async freeze(start: Checkpoint): Promise<Checkpoint> {
    let at = start;
    while (at.frozen === 'storing') {
      this.run.signal.throwIfAborted();
      at = await this.run.commit(
        (tx) => this.freezePage(at, tx),
        (checkpoint) => ({ counts: NO_COUNTS, checkpoint, failedItem: null }),
      );
    }
    return at;
  }

  private async freezePage(at: Checkpoint, tx: Tx): Promise<Checkpoint> {
    const page = { after: at.after, size: STORED_AT_ONCE };
    const { keys, last } = await sourcePage(this.options, page, tx);
    if (last === null) return { ...at, after: null, frozen: 'stored' };
    if ((await this.run.keys.store(this.set.of, keys, tx)) > MAX_FROZEN) {
      throw new PermanentError(
        `The frozen set "${this.name}" has more than ${MAX_FROZEN} items: cut it into several, or read it live.`,
      );
    }
    return { ...at, after: last };
  }

  private async handleAll(reader: ItemsReader<T, Tx>, start: Checkpoint): Promise<Checkpoint> {
    let at = start;
    /** So much of the set is still taken one by one, because it failed together. */
    let oneByOne = 0;
    for (;;) {
      this.run.signal.throwIfAborted();
      const { taken, failure, next } = await this.handle(reader, at, oneByOne > 0 ? 1 : this.options.size);
      if (failure !== null && taken.items.length > 1) {
        oneByOne = taken.size;
        continue;
      }
      at = failure === null ? next : await this.leaveOut(taken, failure.error, next);
      if (taken.size === 0) return at;
      taken.committed();
      oneByOne = Math.max(0, oneByOne - 1);
    }
  }

  private async handle(reader: ItemsReader<T, Tx>, at: Checkpoint, size: number): Promise<Chunk<T, Tx>> {
    let handed: TakenItems<T, Tx> | null = null;
    try {
      const taken = await this.run.commit(
        async (tx) => {
          const items = await reader.take(at, size, tx);
          handed = items;
          if (items.items.length > 0) await this.handler(items.items, tx);
          return items;
        },
        (items) => ({ ...this.countsOf(items), checkpoint: behind(at, items), failedItem: null }),
      );
      this.counts = addCounts(this.counts, this.countsOf(taken).counts);
      return { taken, failure: null, next: behind(at, taken) };
    } catch (error) {
      const taken = handed as TakenItems<T, Tx> | null;
      // What failed before anything was handed to the handler is not the fault of an item.
      if (taken === null || taken.items.length === 0 || this.isForTheRun(error)) throw error;
      return { taken, failure: { error }, next: behind(at, taken) };
    }
  }

  private countsOf({ items, gone, retried }: TakenItems<T, Tx>): { readonly counts: Counts; readonly retried: number } {
    return { counts: { processed: items.length, failed: 0, skipped: gone }, retried };
  }

  /** Records the one item of a chunk as failed and goes behind it, or ends the attempt. */
  private async leaveOut(taken: TakenItems<T, Tx>, error: unknown, behindIt: Checkpoint): Promise<Checkpoint> {
    const { name, onError, maxFailures } = this.options;
    const itemKey = keyOf(this.options, taken.items[0] as T);
    const failures = behindIt.failures + 1;
    if (onError === 'fail' || failures > maxFailures) {
      throw new ItemsFailedError(name, failures, { cause: error, itemKey: String(itemKey) });
    }
    const checkpoint = { ...behindIt, failures };
    const counts = { processed: 0, failed: 1, skipped: taken.gone };
    await this.run.commit(
      (tx) => taken.takeAgain(tx),
      () => ({ counts, retried: taken.retried, checkpoint, failedItem: { itemKey, error: storeError(error) } }),
    );
    this.counts = addCounts(this.counts, counts);
    return checkpoint;
  }

  /** Errors that say nothing about an item: they end the attempt as they are. */
  private isForTheRun(error: unknown): boolean {
    return (
      this.run.signal.aborted ||
      [LeaseLostError, ExecutionCanceledError, StoreUnavailableError].some((kind) => isA(error, kind)) ||
      isRetryLaterError(error)
    );
  }
}

/** The checkpoint behind what was taken; behind nothing the walk is over. */
function behind<T, Tx>(at: Checkpoint, { size, retried, checkpoint }: TakenItems<T, Tx>): Checkpoint {
  if (size === 0) return { ...at, done: true };
  return { ...at, ...checkpoint, failures: Math.max(0, at.failures - retried) };
}
