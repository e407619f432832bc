import {
  ExecutionCanceledError,
  InvalidOptionsError,
  isRetryLaterError,
  ItemsFailedError,
  LeaseLostError,
  PermanentError,
  StoreUnavailableError,
} from '../core/errors.js';
import { addCounts, NO_COUNTS, type Counts } from '../core/execution/counts.js';
import { textProblem } from '../core/execution/storable-text.js';
import { storeError } from '../core/execution/stored-error.js';
import { OptionReader, shown } from '../core/job/option-reader.js';
import type { ItemKey, ItemsHandler, ItemsOptions } from '../core/job/run-items.js';
import type { Checkpoint, CommittedWith } from '../core/ports/run-transactions.js';

/** What a walk needs of its run. */
export interface ItemsWalkRun<Tx> {
  readonly signal: AbortSignal;
  checkpoint(itemsName: string): Promise<Checkpoint | null>;
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

const DEFAULTS = { size: 100, onError: 'fail', maxFailures: 100 } as const;
const MAX_KEY_LENGTH = 300;
const ITEMS_NAME = { pattern: /^[^\0\p{Surrogate}]{1,100}$/u, hint: '1–100 characters' } as const;

/** An error of a chunk that is worth looking for in its items. */
class ChunkFailed<T> extends Error {
  constructor(
    readonly items: readonly T[],
    cause: unknown,
  ) {
    super('The chunk failed.', { cause });
  }
}

/**
 * The walk of `run.items`: from the checkpoint on, chunk by chunk, until the source gives nothing more.
 *
 * A chunk is one transaction: the handler's changes, the checkpoint behind its last item and the counts commit together
 * or not at all. A chunk that fails has changed nothing and is repeated item by item, each in a transaction of its own;
 * so only the items that fail by themselves are left, and `onError` decides about them. A failed item is recorded
 * together with the checkpoint that goes behind it.
 */
export class RunItemsWalk<T, Tx> {
  private readonly options: Required<ItemsOptions<T, Tx>>;
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

  /** @throws ItemsFailedError, LeaseLostError, ExecutionCanceledError, the signal's reason; what the source throws. */
  async walk(): Promise<WalkedItems> {
    const { name } = this.options;
    let at = (await this.run.checkpoint(name)) ?? { itemsName: name, after: null, done: false, failures: 0 };
    while (!at.done) {
      this.run.signal.throwIfAborted();
      at = await this.goOn(at);
    }
    return { counts: this.counts, failures: at.failures };
  }

  private async goOn(at: Checkpoint): Promise<Checkpoint> {
    try {
      return await this.handleChunk(at);
    } catch (error) {
      if (!(error instanceof ChunkFailed)) throw error;
      return this.handleOneByOne(error as ChunkFailed<T>, at);
    }
  }

  private async handleChunk(at: Checkpoint): Promise<Checkpoint> {
    let handed: readonly T[] = [];
    try {
      const next = await this.run.commit(
        async (tx) => {
          const items = await this.read(at, tx);
          const behind = this.behind(at, items);
          handed = items;
          if (items.length > 0) await this.handler(items, tx);
          return behind;
        },
        (checkpoint) => ({ counts: processed(handed.length), checkpoint, failedItem: null }),
      );
      this.counts = addCounts(this.counts, processed(handed.length));
      return next;
    } catch (error) {
      // What failed before anything was handed to the handler is the source's fault.
      if (handed.length === 0 || this.isForTheRun(error)) throw error;
      throw new ChunkFailed(handed, error);
    }
  }

  private async handleOneByOne({ items, cause }: ChunkFailed<T>, start: Checkpoint): Promise<Checkpoint> {
    // The error of a chunk of one is the error of its item.
    if (items.length === 1) return this.leaveOut(items[0] as T, cause, start);
    let at = start;
    for (const item of items) {
      this.run.signal.throwIfAborted();
      at = await this.handleOne(item, at);
    }
    return at;
  }

  private async handleOne(item: T, at: Checkpoint): Promise<Checkpoint> {
    const next = this.behind(at, [item]);
    try {
      await this.run.commit(
        (tx) => this.handler([item], tx),
        () => ({ counts: processed(1), checkpoint: next, failedItem: null }),
      );
    } catch (error) {
      if (this.isForTheRun(error)) throw error;
      return this.leaveOut(item, error, at);
    }
    this.counts = addCounts(this.counts, processed(1));
    return next;
  }

  /** Records an item as failed and goes behind it, or ends the attempt. */
  private async leaveOut(item: T, error: unknown, at: Checkpoint): Promise<Checkpoint> {
    const { name, onError, maxFailures } = this.options;
    const itemKey = String(this.keyOf(item));
    const failures = at.failures + 1;
    if (onError === 'fail' || failures > maxFailures) {
      throw new ItemsFailedError(name, failures, { cause: error, itemKey });
    }
    const next = { ...this.behind(at, [item]), failures };
    const counts = { ...NO_COUNTS, failed: 1 };
    await this.run.commit(
      () => Promise.resolve(),
      () => ({ counts, checkpoint: next, failedItem: { itemKey, error: storeError(error) } }),
    );
    this.counts = addCounts(this.counts, counts);
    return next;
  }

  private async read(at: Checkpoint, tx: Tx): Promise<readonly T[]> {
    const { source, size, name } = this.options;
    const items: unknown = await source(at.after, size, tx);
    if (Array.isArray(items)) return items as readonly T[];
    throw new PermanentError(`The source of "${name}" must give a list of items, got ${shown(items)}.`);
  }

  /** The checkpoint behind the last of some items; behind none the walk is over. */
  private behind(at: Checkpoint, items: readonly T[]): Checkpoint {
    const last = items.at(-1);
    if (items.length === 0) return { ...at, done: true };
    const after = this.keyOf(last as T);
    if (after === at.after) {
      throw new PermanentError(
        `The source of "${this.options.name}" gave the item ${shown(after)} again: it must give the items behind "after", in the order of their keys.`,
      );
    }
    return { ...at, after };
  }

  private keyOf(item: T): ItemKey {
    const key: unknown = this.options.key(item);
    const problem = itemKeyProblem(key);
    if (problem === null) return key as ItemKey;
    throw new PermanentError(`The key of an item of "${this.options.name}" ${problem}.`);
  }

  /** Errors that say nothing about an item: they end the attempt as they are. */
  private isForTheRun(error: unknown): boolean {
    return (
      this.run.signal.aborted ||
      error instanceof LeaseLostError ||
      error instanceof ExecutionCanceledError ||
      error instanceof StoreUnavailableError ||
      isRetryLaterError(error)
    );
  }
}

function itemKeyProblem(key: unknown): string | null {
  if (Number.isFinite(key)) return null;
  if (typeof key !== 'string') return `must be a string or a number, got ${shown(key)}`;
  if (key.length < 1 || key.length > MAX_KEY_LENGTH) {
    return `must have 1 to ${MAX_KEY_LENGTH} characters, got ${key.length}`;
  }
  return textProblem(key);
}

const processed = (count: number): Counts => ({ ...NO_COUNTS, processed: count });

function resolveItemsOptions<T, Tx>(options: ItemsOptions<T, Tx>): Required<ItemsOptions<T, Tx>> {
  const problems: string[] = [];
  const reader = new OptionReader(options, 'run.items', problems);
  reader.allowOnly(['name', 'source', 'key', 'size', 'onError', 'maxFailures'], {
    frozen: 'is not yet available in this version',
  });
  for (const required of ['name', 'source', 'key']) {
    if (reader.raw(required) === undefined) reader.refuse(required, 'is required');
  }
  const resolved = {
    name: reader.text('name', '', ITEMS_NAME),
    source: reader.function<ItemsOptions<T, Tx>['source']>('source'),
    key: reader.function<ItemsOptions<T, Tx>['key']>('key'),
    size: reader.integer('size', DEFAULTS.size, { min: 1, max: 10_000 }),
    onError: reader.oneOf('onError', DEFAULTS.onError, ['fail', 'skip']),
    maxFailures: reader.integer('maxFailures', DEFAULTS.maxFailures, { min: 0, max: 1_000_000 }),
  };
  if (problems.length > 0 || resolved.source === null || resolved.key === null) throw new InvalidOptionsError(problems);
  return { ...resolved, source: resolved.source, key: resolved.key };
}
