import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventRecorder, gate } from '../../../../test/support/engine.js';
import { NamedLeaseLostError } from '../core/errors.js';
import type { HeldLease, LeaseRequest, LeaseStore } from '../core/ports/lease-store.js';
import { NamedLeases, type LeaseSection } from './named-leases.js';

const AT = new Date('2026-03-01T12:00:00Z');
const never = (): Promise<never> => new Promise<never>(() => undefined);

/** A store in memory, whose answers a test replaces. */
class FakeStore implements LeaseStore<string> {
  readonly calls: string[] = [];
  readonly requests: LeaseRequest[] = [];
  /** How often somebody else still holds it. */
  refusals = 0;
  renewal: () => Promise<boolean> = () => Promise.resolve(true);
  releasing: () => Promise<void> = () => Promise.resolve();
  fenced = true;

  async acquire(request: LeaseRequest): ReturnType<LeaseStore<string>['acquire']> {
    this.requests.push(request);
    const { name, ttlMs } = request;
    if (this.refusals-- > 0) return { acquired: false, holder: 'other', leaseUntil: AT, now: AT };
    return { acquired: true, lease: { name, leaseToken: '7', ttlMs, acquiredAt: AT } };
  }
  renew(): Promise<boolean> {
    this.calls.push('renew');
    return this.renewal();
  }
  release({ name, leaseToken }: HeldLease): Promise<void> {
    this.calls.push(`release ${name} ${leaseToken}`);
    return this.releasing();
  }
  async fence(_lease: HeldLease, tx: string): Promise<boolean> {
    this.calls.push(`fence in ${tx}`);
    return this.fenced;
  }
  removeExpired(): Promise<number> {
    return Promise.resolve(0);
  }
}

function setUp() {
  const store = new FakeStore();
  const recorder = new EventRecorder();
  // The clock of the test may jump: the event loop was blocked, or the process was frozen.
  const clock = { skippedMs: 0, monotonicMs: () => performance.now() + clock.skippedMs, boundNow: () => null };
  const leases = new NamedLeases({ store, clock, emit: recorder.emit });
  const hold = <T>(section: (lease: LeaseSection<string>) => Promise<T>, ttlMs = 60_000, waitMs = 0) =>
    leases.withLease('n', { ttlMs, waitMs }, section);
  const renewals = () => store.calls.filter((call) => call === 'renew').length;
  return { store, recorder, clock, hold, renewals };
}
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('withLease', () => {
  it('gives the value of its section and frees the lease', async () => {
    const { store, hold } = setUp();
    const seen: unknown[] = [];
    const result = await hold(async ({ name, leaseToken, acquiredAt, signal }) => {
      seen.push(name, leaseToken, acquiredAt, signal.aborted, store.calls.length);
      return 'value';
    });
    expect(result).toEqual({ acquired: true, value: 'value' });
    expect(seen).toEqual(['n', '7', AT, false, 0]);
    expect(store.calls).toEqual(['release n 7']);
    expect(store.requests).toMatchObject([{ name: 'n', ttlMs: 60_000, now: null }]);
    expect(store.requests[0]?.holder).toMatch(new RegExp(`:${process.pid}:[0-9a-f]{8}$`));
  });

  it('frees the lease when its section throws, and passes the error on', async () => {
    const { store, hold } = setUp();
    const error = new Error('mine');
    await expect(hold(() => Promise.reject(error))).rejects.toBe(error);
    expect(store.calls).toEqual(['release n 7']);
  });

  it('tells who holds the lease and does nothing else', async () => {
    const { store, hold } = setUp();
    store.refusals = 1;
    const result = await hold(() => Promise.reject(new Error('not called')));
    expect(result).toEqual({ acquired: false, holder: 'other', leaseUntil: AT, now: AT });
    expect(store.calls).toEqual([]);
  });

  it('gives its value also when the lease cannot be freed', async () => {
    const { store, hold } = setUp();
    store.releasing = () => Promise.reject(new Error('the database is away'));
    expect(await hold(async () => 'value')).toEqual({ acquired: true, value: 'value' });
  });

  it('waits at most 5 s for a database that does not answer', async () => {
    const { store, hold } = setUp();
    store.releasing = never;
    expect(await hold(async () => 'value')).toEqual({ acquired: true, value: 'value' });
  }, 10_000);
});

describe('waiting for a lease', () => {
  it('asks again once a second until it gets it', async () => {
    const { store, hold } = setUp();
    store.refusals = 1;
    const startedMs = performance.now();
    expect(await hold(async () => 'value', 60_000, 30_000)).toMatchObject({ acquired: true });
    expect(store.requests).toHaveLength(2);
    expect(performance.now() - startedMs).toBeGreaterThan(990);
  });

  it('asks for the last time when the wait is over', async () => {
    const { store, hold } = setUp();
    store.refusals = 99;
    const startedMs = performance.now();
    expect(await hold(async () => 'value', 60_000, 50)).toMatchObject({ acquired: false, holder: 'other' });
    expect(performance.now() - startedMs).toBeGreaterThan(49);
    expect(store.requests.length).toBeGreaterThanOrEqual(2);
    expect(store.requests.length).toBeLessThanOrEqual(3);
  });
});

describe('A held lease', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('is renewed again and again while its section runs, and not before a third of its time is over', async () => {
    const { hold, renewals } = setUp();
    const result = await hold(async ({ signal }) => {
      await pass(99);
      const early = renewals();
      await pass(401);
      return { early, all: renewals(), isAborted: signal.aborted };
    }, 300);
    expect(result).toEqual({ acquired: true, value: { early: 0, all: 5, isAborted: false } });
  });

  it('is renewed no more once it is freed', async () => {
    const { hold, store } = setUp();
    await hold(() => pass(30), 60);
    await pass(1_000);
    expect(store.calls).toEqual(['renew', 'release n 7']);
  });

  it('is lost when a renewal is refused: the signal aborts, and the value of the section does not count', async () => {
    const { store, hold } = setUp();
    store.renewal = () => Promise.resolve(false);
    let reason: unknown;
    const lost = await errorOf(
      hold(async ({ signal }) => {
        await pass(20);
        await aborted(signal);
        reason = signal.reason;
        return 'value';
      }, 60),
    );
    expect(lost).toBeInstanceOf(NamedLeaseLostError);
    expect(lost).toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST', leaseName: 'n', leaseToken: '7' });
    expect(reason).toBe(lost);
    await pass(0);
    expect(store.calls).toEqual(['renew', 'release n 7']);
  });

  it('is lost at the end of its time when no renewal is answered', async () => {
    const { store, hold } = setUp();
    store.renewal = never;
    const seen: boolean[] = [];
    const lost = hold(async ({ signal }) => {
      for (const ms of [149, 1]) {
        await pass(ms);
        seen.push(signal.aborted);
      }
    }, 150);
    await expect(lost).rejects.toBeInstanceOf(NamedLeaseLostError);
    expect(seen).toEqual([false, true]);
  });

  it('is lost at the end of its time when every renewal fails, which is reported and tried again', async () => {
    const { store, hold, recorder, renewals } = setUp();
    store.renewal = () => Promise.reject(new Error('the database is away'));
    const lost = hold(async ({ signal }) => {
      await pass(300);
      await aborted(signal);
    }, 300);
    await expect(lost).rejects.toBeInstanceOf(NamedLeaseLostError);
    expect(renewals()).toBeGreaterThan(1);
    expect(recorder.of('service.failed')[0]).toMatchObject({ service: 'renewal of the lease "n"' });
  });

  it('goes on when a renewal succeeds after some that failed', async () => {
    const { store, hold, renewals } = setUp();
    store.renewal = () => (renewals() < 3 ? Promise.reject(new Error('away')) : Promise.resolve(true));
    const kept = await hold(async ({ signal }) => {
      await pass(1_800);
      return signal.aborted;
    }, 900);
    expect(kept).toEqual({ acquired: true, value: false });
    expect(renewals()).toBeGreaterThanOrEqual(5);
  });

  it('lasts from the moment before the renewal was sent, not from its answer', async () => {
    const { store, hold, clock, renewals } = setUp();
    const answer = gate();
    store.renewal = async () => {
      if (renewals() === 1) {
        clock.skippedMs += 200;
        answer.open();
      }
      return true;
    };
    const lost = hold(async () => {
      await pass(100);
      await answer.passed;
      clock.skippedMs += 150;
    }, 300);
    await expect(lost).rejects.toBeInstanceOf(NamedLeaseLostError);
  });

  it('is lost when its section blocked the event loop for longer than its time, though no timer could say so', async () => {
    const { hold, clock } = setUp();
    const lost = hold(async () => {
      clock.skippedMs += 60_000;
      return 'value';
    });
    await expect(lost).rejects.toBeInstanceOf(NamedLeaseLostError);
  });

  it('is not used when it took longer to ask for it than it lasts', async () => {
    const { store, hold, clock } = setUp();
    const asked = store.acquire.bind(store);
    store.acquire = (request) => {
      clock.skippedMs += 60_000;
      return asked(request);
    };
    let calls = 0;
    await expect(hold(async () => ++calls)).rejects.toBeInstanceOf(NamedLeaseLostError);
    expect(calls).toBe(0);
    await pass(0);
    expect(store.calls).toEqual(['release n 7']);
  });

  it('names what the section threw as the cause of the loss, and throws the loss itself as it is', async () => {
    const { hold, clock } = setUp();
    const own = new Error('mine');
    const lost = await errorOf(
      hold(() => {
        clock.skippedMs += 60_000;
        return Promise.reject(own);
      }),
    );
    expect(lost).toBeInstanceOf(NamedLeaseLostError);
    expect((lost as Error).cause).toBe(own);
    let reason: unknown;
    const passedOn = await errorOf(
      hold(async (lease) => {
        clock.skippedMs += 60_000;
        reason = await errorOf(lease.fence('tx'));
        throw reason;
      }),
    );
    expect(passedOn).toBe(reason);
  });
});

describe('fence', () => {
  it('asks in the transaction that it is given', async () => {
    const { store, hold } = setUp();
    await hold((lease) => lease.fence('tx 1'));
    expect(store.calls).toEqual(['fence in tx 1', 'release n 7']);
  });

  it('loses the lease when the database refuses it', async () => {
    const { store, hold } = setUp();
    store.fenced = false;
    let signal: AbortSignal | undefined;
    const lost = hold(async (lease) => {
      ({ signal } = lease);
      await errorOf(lease.fence('tx'));
      return 'value';
    });
    await expect(lost).rejects.toBeInstanceOf(NamedLeaseLostError);
    expect(signal?.aborted).toBe(true);
  });

  it('does not even ask when the lease is lost already', async () => {
    const { store, hold, clock } = setUp();
    const lost = hold(async (lease) => {
      clock.skippedMs += 60_000;
      await lease.fence('tx');
    });
    await expect(lost).rejects.toBeInstanceOf(NamedLeaseLostError);
    expect(store.calls).not.toContain('fence in tx');
  });
});
