import type { MessageEvent } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionState } from '../../core/execution/execution-state.js';
import type { Stores } from '../../postgres/create-stores.js';
import { ChangeFeed } from './change-feed.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A feed over a ledger with one execution, and how often it was looked at. */
function feedOf() {
  const ledger = { state: 'pending' as ExecutionState, isAway: false, looks: 0 };
  const snapshot = () => {
    ledger.looks += 1;
    if (ledger.isAway) return Promise.reject(new Error('away'));
    return Promise.resolve({ states: new Map([['1', ledger.state]]), operations: '0', alerts: '0/0' });
  };
  return { ledger, feed: new ChangeFeed({ changes: { snapshot } } as unknown as Stores) };
}

function read(feed: ChangeFeed) {
  const events: MessageEvent[] = [];
  const reader = { events, hasEnded: false };
  const subscription = feed.open().subscribe({
    next: (event) => events.push(event),
    complete: () => (reader.hasEnded = true),
  });
  return Object.assign(reader, { close: () => subscription.unsubscribe() });
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
const told = (events: readonly MessageEvent[]) => events.flatMap(({ data }) => (data === undefined ? [] : [data]));

describe('the feed of changes', () => {
  it('looks once a second for all readers, and not at all for nobody', async () => {
    const { ledger, feed } = feedOf();
    const [one, other] = [read(feed), read(feed)];
    await seconds(5);
    expect(ledger.looks).toBe(6);
    ledger.state = 'running';
    await seconds(1);
    for (const { events } of [one, other]) {
      expect(told(events)).toEqual([{ executions: [{ id: '1', state: 'running' }] }]);
    }
    one.close();
    other.close();
    await seconds(60);
    expect(ledger.looks).toBe(7);
  });

  it('looks no more often when readers come and go while it looks', async () => {
    const { ledger, feed } = feedOf();
    for (let turn = 0; turn < 5; turn += 1) {
      const reader = read(feed);
      vi.advanceTimersByTime(0); // The look is under way.
      reader.close();
    }
    read(feed);
    await seconds(0);
    const before = ledger.looks;
    await seconds(10);
    expect(ledger.looks - before).toBe(10);
  });

  it('says every 15 seconds that it is still there', async () => {
    const { feed } = feedOf();
    const { events } = read(feed);
    await seconds(31);
    expect(events.filter(({ comment }) => comment === 'still here')).toHaveLength(2);
  });

  it('tells what has changed while the database was away', async () => {
    const { ledger, feed } = feedOf();
    const { events } = read(feed);
    await seconds(1);
    Object.assign(ledger, { isAway: true, state: 'failed' });
    await seconds(30);
    expect(told(events)).toEqual([]);
    ledger.isAway = false;
    await seconds(10);
    expect(told(events)).toEqual([{ executions: [{ id: '1', state: 'failed' }] }]);
  });

  it('ends with the application at once, for those that come while it closes, too', async () => {
    const { feed } = feedOf();
    const reader = read(feed);
    feed.onModuleDestroy();
    expect(reader.hasEnded).toBe(true);
    expect(read(feed).hasEnded).toBe(true);
  });

  it('ends each stream after ten minutes, so that guards are asked anew', async () => {
    const reader = read(feedOf().feed);
    await seconds(599);
    expect(reader.hasEnded).toBe(false);
    await seconds(1);
    expect(reader.hasEnded).toBe(true);
  });
});
