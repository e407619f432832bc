import { describe, expect, it } from 'vitest';
import type { Stores } from '../../postgres/create-stores.js';
import type { LedgerState, LedgerWatch } from '../ledger-watch.js';
import { resolveParts } from '../observability-options.js';
import { JobsHealth } from './jobs-health.js';

const MINUTE = 60_000;

interface Ledger {
  readonly queues?: readonly object[];
  readonly schedules?: readonly object[];
  readonly workers?: number;
}

/** A queue as it is when all is well. */
const queue = (parts: object = {}) => ({
  name: 'q',
  ready: 0,
  oldestReadyMs: null,
  pause: null,
  breaker: null,
  ...parts,
});

/** The health of a process that is up, over a ledger that stands so; null = the ledger cannot be read. */
function healthOf(ledger: Ledger | null, { phase = 'started', check = () => Promise.resolve() } = {}): JobsHealth {
  const { queues = [], schedules = [], workers = 1 } = ledger ?? {};
  const state = { queues, schedules, instances: { workers, schedulers: 1 } } as unknown as LedgerState;
  const watch = { state: () => (ledger === null ? Promise.reject(new Error('away')) : Promise.resolve(state)) };
  const stores = { meter: { check }, clock: { monotonicMs: () => 0 } };
  return new JobsHealth(
    { phase } as never,
    stores as unknown as Stores,
    watch as unknown as LedgerWatch,
    resolveParts({}),
  );
}

const levelOf = async (ledger: Ledger): Promise<string> => {
  const { status, reasons } = await healthOf(ledger).ready();
  return [status, ...reasons.map(({ kind }) => kind)].join(' ');
};

describe('readiness by its defaults', () => {
  it.each([
    ['up', { queues: [queue({ ready: 5, oldestReadyMs: 15 * MINUTE })] }],
    ['degraded backlog', { queues: [queue({ ready: 5, oldestReadyMs: 15 * MINUTE + 1 })] }],
    ['up', { queues: [queue({ ready: 5, oldestReadyMs: 60 * MINUTE, pause: { actor: 'ann' } })] }],
    ['up', { schedules: [{ jobName: 'daily', behindMs: 2 * MINUTE }] }],
    ['degraded tick-delay', { schedules: [{ jobName: 'daily', behindMs: 2 * MINUTE + 1 }] }],
    ['up', { schedules: [{ jobName: 'daily', behindMs: null }] }],
    ['up', { queues: [queue({ breaker: { state: 'half-open' } })] }],
    ['degraded breaker-open', { queues: [queue({ breaker: { state: 'open' } })] }],
    ['up', { queues: [queue()], workers: 0 }],
    ['degraded no-worker', { queues: [queue({ ready: 1, oldestReadyMs: 1 })], workers: 0 }],
  ])('is %s', async (level, ledger) => expect(await levelOf(ledger)).toBe(level));

  it('is down when the database is away, and up when only the state of the ledger cannot be read', async () => {
    const check = () => Promise.reject(new Error('connect postgres://ann:secret@db'));
    const { status, reasons } = await healthOf({}, { check }).ready();
    expect({ status, reasons }).toEqual({
      status: 'down',
      reasons: [{ kind: 'database', text: 'The ledger cannot be read.' }],
    });
    expect((await healthOf(null).ready()).status).toBe('up');
  });
});

describe('liveness', () => {
  it.each([
    ['a backlog', { ledger: { queues: [queue({ ready: 9, oldestReadyMs: 600 * MINUTE })], workers: 0 } }],
    ['a database that is away', { ledger: null, check: () => Promise.reject(new Error('away')) }],
    ['a start that goes on', { ledger: {}, phase: 'starting' }],
    ['a drain', { ledger: {}, phase: 'stopping' }],
  ])('does not depend on %s', (_, { ledger, ...process }) => {
    expect(healthOf(ledger, process).live()).toEqual({ status: 'up', reasons: [] });
  });
});
