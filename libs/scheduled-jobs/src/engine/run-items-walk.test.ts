import { describe, expect, it } from 'vitest';
import {
  ExecutionCanceledError,
  InvalidOptionsError,
  ItemsFailedError,
  LeaseLostError,
  PermanentError,
  RetryLaterError,
  StoreUnavailableError,
} from '../core/errors.js';
import { addCounts, NO_COUNTS, type Counts } from '../core/execution/counts.js';
import type { ItemsOptions } from '../core/job/run-items.js';
import type { Checkpoint, CommittedWith } from '../core/ports/run-transactions.js';
import { RunItemsWalk } from './run-items-walk.js';

/** Ten points to an account. A transaction sees its own copy of the books, and the copy replaces them at the commit. */
type Books = Map<number, number>;

/** A ledger in memory for one execution: what is committed survives an attempt. */
class FakeLedger {
  books: Books = new Map();
  checkpoint: Checkpoint | null = null;
  counts: Counts = NO_COUNTS;
  readonly failedItems: string[] = [];
  readonly transactions: number[] = [];
  /** Called before each commit, with its number. */
  beforeCommit: (commitNo: number) => void = () => undefined;

  async commit<T>(work: (tx: Books) => Promise<T>, committedWith: (value: T) => CommittedWith): Promise<T> {
    const copy = new Map(this.books);
    const value = await work(copy);
    const { counts, checkpoint, failedItem } = committedWith(value);
    this.beforeCommit(this.transactions.push(copy.size - this.books.size));
    this.books = copy;
    this.checkpoint = checkpoint;
    this.counts = addCounts(this.counts, counts);
    if (failedItem !== null) this.failedItems.push(`${failedItem.itemKey}: ${failedItem.error.message}`);
    return value;
  }
}

interface Setup {
  readonly accounts?: number;
  readonly options?: Partial<ItemsOptions<number, Books>>;
  readonly ledger?: FakeLedger;
  /** Throws for accounts that fail. */
  readonly pay?: (account: number) => void;
}

function setUp({ accounts = 25, options = {}, ledger = new FakeLedger(), pay = () => undefined }: Setup = {}) {
  const controller = new AbortController();
  const calls: number[][] = [];
  const all = Array.from({ length: accounts }, (_, index) => index + 1);
  const walk = new RunItemsWalk<number, Books>(
    {
      name: 'accounts',
      source: async (after, size) => all.filter((account) => account > ((after as number | null) ?? 0)).slice(0, size),
      key: (account) => account,
      size: 10,
      ...options,
    },
    async (items, tx) => {
      calls.push([...items]);
      for (const account of items) {
        pay(account);
        tx.set(account, (tx.get(account) ?? 0) + 10);
      }
    },
    {
      executionId: '1',
      signal: controller.signal,
      keys: {} as never, // sets read live have none
      checkpoint: async () => ledger.checkpoint,
      commit: (work, committedWith) => ledger.commit(work, committedWith),
    },
  );
  return { walk, ledger, calls, controller };
}
const failing =
  (...accounts: number[]) =>
  (account: number) => {
    if (accounts.includes(account)) throw new Error(`account ${account} is closed`);
  };
const paid = ({ books }: FakeLedger) => [...books].filter(([, points]) => points === 10).map(([account]) => account);

describe('RunItemsWalk', () => {
  it('handles all items in chunks and ends behind the last', async () => {
    const { walk, ledger, calls } = setUp();
    expect(await walk.walk()).toEqual({ counts: { processed: 25, failed: 0, skipped: 0 }, failures: 0 });
    expect(calls.map((items) => items.length)).toEqual([10, 10, 5]);
    expect(paid(ledger)).toHaveLength(25);
    expect(ledger.checkpoint).toEqual({ itemsName: 'accounts', after: 25, done: true, failures: 0 });
    expect(ledger.counts).toEqual({ processed: 25, failed: 0, skipped: 0 });
  });

  it('goes on behind the checkpoint of an earlier attempt, and does nothing when that was the end', async () => {
    const ledger = new FakeLedger();
    const first = setUp({ ledger });
    ledger.beforeCommit = (commitNo) => {
      if (commitNo === 3) throw new StoreUnavailableError('commit');
    };
    await expect(first.walk.walk()).rejects.toThrow(StoreUnavailableError);
    ledger.beforeCommit = () => undefined;
    const second = setUp({ ledger });
    await second.walk.walk();
    expect(second.calls[0]).toEqual([21, 22, 23, 24, 25]);
    expect(paid(ledger)).toHaveLength(25);
    const third = setUp({ ledger });
    expect(await third.walk.walk()).toEqual({ counts: NO_COUNTS, failures: 0 });
    expect(third.calls).toEqual([]);
  });

  it('repeats a failing chunk item by item and ends the attempt at the item that fails', async () => {
    const { walk, ledger, calls } = setUp({ pay: failing(14) });
    const error: unknown = await walk.walk().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ItemsFailedError);
    expect(error).toMatchObject({
      itemsName: 'accounts',
      failures: 1,
      itemKey: '14',
      cause: new Error('account 14 is closed'),
    });
    expect(calls.slice(1)).toEqual([[11, 12, 13, 14, 15, 16, 17, 18, 19, 20].slice(0, 10), [11], [12], [13], [14]]);
    expect(paid(ledger)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(ledger).toMatchObject({ checkpoint: { after: 13, done: false, failures: 0 }, failedItems: [] });
  });

  it('records failing items and goes on when they may be skipped', async () => {
    const { walk, ledger } = setUp({ pay: failing(3, 25), options: { onError: 'skip' } });
    expect(await walk.walk()).toEqual({ counts: { processed: 23, failed: 2, skipped: 0 }, failures: 2 });
    expect(ledger.failedItems).toEqual(['3: account 3 is closed', '25: account 25 is closed']);
    expect(ledger.counts).toEqual({ processed: 23, failed: 2, skipped: 0 });
    expect(ledger.checkpoint).toMatchObject({ after: 25, done: true, failures: 2 });
    expect(paid(ledger)).toHaveLength(23);
  });

  it('counts the failures of earlier attempts against the budget, and says so at the end', async () => {
    const ledger = new FakeLedger();
    const options = { onError: 'skip', maxFailures: 2 } as const;
    await expect(setUp({ ledger, options, pay: failing(1, 2, 3) }).walk.walk()).rejects.toThrow(/3 item\(s\) failed/);
    expect(ledger.failedItems).toHaveLength(2);
    await expect(setUp({ ledger, options, pay: failing(3) }).walk.walk()).rejects.toThrow(ItemsFailedError);
    expect(await setUp({ ledger, options }).walk.walk()).toMatchObject({ failures: 2 });
    expect(paid(ledger)).toHaveLength(23);
  });

  it('does not call the handler twice for a chunk of one', async () => {
    const { walk, calls, ledger } = setUp({ accounts: 3, options: { size: 1, onError: 'skip' }, pay: failing(2) });
    await walk.walk();
    expect(calls).toEqual([[1], [2], [3]]);
    expect(ledger.failedItems).toHaveLength(1);
  });

  it('looks for the item at fault when only the commit fails', async () => {
    const ledger = new FakeLedger();
    ledger.beforeCommit = (commitNo) => {
      if (commitNo === 1) throw new Error('deferred constraint');
    };
    await setUp({ ledger, accounts: 3 }).walk.walk();
    expect(paid(ledger)).toHaveLength(3);
  });

  it.each([
    ['a lost lease', new LeaseLostError('job:1', '7')],
    ['a cancel', new ExecutionCanceledError('job:1')],
    ['an absent database', new StoreUnavailableError('commit')],
    ['a wish for later', new RetryLaterError('throttled')],
  ])('ends with %s as it is, and blames no item', async (_, error) => {
    const { walk, ledger, calls } = setUp({
      options: { onError: 'skip' },
      pay: (account) => {
        if (account === 12) throw error;
      },
    });
    await expect(walk.walk()).rejects.toBe(error);
    expect(calls).toHaveLength(2);
    expect(ledger.failedItems).toEqual([]);
  });

  it('ends with the error of its source, and blames no item', async () => {
    const source = () => Promise.reject(new Error('no table'));
    const { walk, calls } = setUp({ options: { source, onError: 'skip' } });
    await expect(walk.walk()).rejects.toThrow('no table');
    expect(calls).toEqual([]);
  });

  it('stops between two chunks, and between two items, once its signal has fired', async () => {
    const reason = new Error('stop');
    const chunks = setUp({ pay: (account) => account === 15 && chunks.controller.abort(reason) });
    await expect(chunks.walk.walk()).rejects.toBe(reason);
    expect(paid(chunks.ledger)).toHaveLength(20);
    const items = setUp({
      options: { onError: 'skip' },
      pay: (account) => {
        failing(5)(account);
        if (items.calls.at(-1)?.length === 1 && account === 2) items.controller.abort(reason);
      },
    });
    await expect(items.walk.walk()).rejects.toBe(reason);
    expect(paid(items.ledger)).toEqual([1, 2]);
  });

  it('blames no item for what fails after the signal has fired', async () => {
    const trouble = new Error('interrupted');
    const pay = (account: number): void => {
      if (account !== 2) return;
      controller.abort(new Error('stop'));
      throw trouble;
    };
    const { walk, ledger, controller } = setUp({ options: { onError: 'skip', size: 1 }, pay });
    await expect(walk.walk()).rejects.toBe(trouble);
    expect(ledger.failedItems).toEqual([]);
  });

  it('stops a source that does not go on behind the last key', async () => {
    const { walk } = setUp({ options: { source: async () => [1, 2, 3] } });
    await expect(walk.walk()).rejects.toThrow(/gave the item 3 again/);
  });

  it.each([
    ['a key that is no text or number', { key: () => Number.NaN }],
    ['an empty key', { key: () => '' }],
    ['a key that is too long', { key: () => 'x'.repeat(301) }],
    ['a key that cannot be stored', { key: () => 'a\0' }],
    ['a source that gives no list', { source: async () => ({ rows: [] }) as never }],
  ])('refuses %s', async (_, options) => {
    await expect(setUp({ options }).walk.walk()).rejects.toThrow(PermanentError);
  });

  it('refuses options that cannot work, all at once', () => {
    const options = { name: '', size: 0, maxFailures: -1, onError: 'ignore', maxFailure: 3 } as never;
    expect(() => setUp({ options })).toThrow(InvalidOptionsError);
    expect(() => setUp({ options })).toThrow(/name[\s\S]*size[\s\S]*onError[\s\S]*maxFailures/);
  });
});
