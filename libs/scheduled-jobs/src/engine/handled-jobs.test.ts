import { describe, expect, it } from 'vitest';
import { T0 } from '../../../../test/support/ledger.js';
import { HandledJobs } from './handled-jobs.js';

describe('HandledJobs', () => {
  it('says what its worker handles about every 30 s, and again when that failed', async () => {
    const time = { ms: 0 };
    const told: unknown[] = [];
    let fails = true;
    const handled = new HandledJobs({
      store: {
        handle: async (...args) => {
          if (fails) throw new Error('no database');
          told.push(args);
        },
      },
      clock: { monotonicMs: () => time.ms, boundNow: () => T0 },
      jobNames: ['a', 'former-a'],
    });
    await expect(handled.tell()).rejects.toThrow('no database');
    fails = false;
    const inMs = await handled.tell();
    expect(inMs).toBeGreaterThanOrEqual(27_000);
    expect(inMs).toBeLessThanOrEqual(33_000);
    time.ms += inMs - 1;
    expect(await handled.tell()).toBe(1);
    expect(told).toEqual([[['a', 'former-a'], T0]]);
    time.ms += 1;
    await handled.tell();
    expect(told).toHaveLength(2);
  });
});
