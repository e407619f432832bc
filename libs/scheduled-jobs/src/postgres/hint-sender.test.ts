import type { DataSource, EntitySubscriberInterface, QueryRunner } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from './database/database.js';
import { HintSender } from './hint-sender.js';
import { ledgerNames } from './ledger-names.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function sender() {
  const sent: unknown[] = [];
  const query = (_action: string, _text: string, values: readonly unknown[]) => {
    sent.push(values);
    return Promise.reject(new Error('gone'));
  };
  const subscribers: EntitySubscriberInterface[] = [];
  const dataSource = { subscribers } as unknown as DataSource;
  const hints = new HintSender(dataSource, { query } as unknown as Database, ledgerNames('jobs'));
  return { hints, sent, subscribers };
}

describe('HintSender', () => {
  it('lets one insert in 50 ms carry the hint', () => {
    const { hints } = sender();
    vi.advanceTimersByTime(1_000);
    expect(hints.takeImmediate()).toBe(true);
    vi.advanceTimersByTime(49);
    expect(hints.takeImmediate()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(hints.takeImmediate()).toBe(true);
  });

  it('sends one hint for all calls within 5 ms, and outlives one that cannot be sent', async () => {
    const { hints, sent } = sender();
    for (let i = 0; i < 20; i++) hints.sendSoon();
    await vi.advanceTimersByTimeAsync(4);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([['jobs_hints']]);
    hints.sendSoon();
    await vi.advanceTimersByTimeAsync(5);
    expect(sent).toHaveLength(2);
  });

  it('keeps its promise at the real commit of a transaction, once', async () => {
    const { hints, sent, subscribers } = sender();
    const inSavepoint = { isTransactionActive: true } as QueryRunner;
    hints.sendAfterCommit(inSavepoint);
    void subscribers[0]?.afterTransactionCommit?.({ queryRunner: inSavepoint } as never);
    await vi.advanceTimersByTimeAsync(5);
    expect(sent).toEqual([]);
    Object.assign(inSavepoint, { isTransactionActive: false });
    for (let i = 0; i < 2; i++) {
      void subscribers[0]?.afterTransactionCommit?.({ queryRunner: inSavepoint } as never);
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(sent).toHaveLength(1);
  });

  it('forgets its promise when the transaction rolls back', async () => {
    const { hints, sent, subscribers } = sender();
    const runner = { isTransactionActive: false } as QueryRunner;
    hints.sendAfterCommit(runner);
    void subscribers[0]?.afterTransactionRollback?.({ queryRunner: runner } as never);
    void subscribers[0]?.afterTransactionCommit?.({ queryRunner: runner } as never);
    await vi.advanceTimersByTimeAsync(5);
    expect(sent).toEqual([]);
    expect(subscribers).toHaveLength(1);
  });
});
