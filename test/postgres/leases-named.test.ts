import type { QueryRunner } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import type { HeldLease, LeaseRequest } from '../../libs/scheduled-jobs/src/core/ports/lease-store.js';
import { advisoryLock } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const leasesOf = () => ledgerOf().stores.leases;
const runners: QueryRunner[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
});

const ask = (request: Partial<LeaseRequest> = {}) =>
  leasesOf().acquire({ name: 'invoices', holder: 'h1', ttlMs: 30_000, now: T0, ...request });
async function acquire(request: Partial<LeaseRequest> = {}): Promise<HeldLease> {
  const answer = await ask(request);
  if (!answer.acquired) throw new Error(`"${answer.holder}" holds it`);
  return answer.lease;
}
const rows = () => ledgerOf().sql('select name, holder, lease_until from leases order by name');

/** A transaction as the application opens it. */
async function begin(isolation: 'READ COMMITTED' | 'REPEATABLE READ' = 'READ COMMITTED'): Promise<QueryRunner> {
  const runner = ledgerOf().dataSource.createQueryRunner();
  runners.push(runner);
  await runner.startTransaction(isolation);
  return runner;
}

describe('acquire', () => {
  it('takes a free name until the end of its time', async () => {
    const lease = await acquire();
    expect(lease).toEqual({
      name: 'invoices',
      leaseToken: expect.stringMatching(/^\d+$/) as string,
      ttlMs: 30_000,
      acquiredAt: T0,
    });
    expect(await rows()).toEqual([{ name: 'invoices', holder: 'h1', lease_until: after(30_000) }]);
  });

  it('tells who holds a name and until when, also to the same holder, and leaves other names free', async () => {
    await acquire();
    const refused = { acquired: false, holder: 'h1', leaseUntil: after(30_000), now: after(29_999) };
    expect(await ask({ holder: 'h2', now: after(29_999) })).toEqual(refused);
    expect(await ask({ now: after(29_999) })).toEqual(refused);
    expect(await ask({ name: 'Invoices', holder: 'h2' })).toMatchObject({ acquired: true });
  });

  it('takes over when the time of the holder is over', async () => {
    await acquire();
    await acquire({ holder: 'h2', ttlMs: 5_000, now: after(30_000) });
    expect(await rows()).toEqual([{ name: 'invoices', holder: 'h2', lease_until: after(35_000) }]);
  });

  it('gives each holder a token greater than all before, of any name and of any execution', async () => {
    const tokens: bigint[] = [];
    for (let round = 0; round < 5; round++) {
      const first = await acquire({ now: after(round * 60_000) });
      await leasesOf().release(first);
      const other = await acquire({ name: `other ${round}`, now: after(round * 60_000) });
      const left = await acquire({ now: after(round * 60_000) });
      await ledgerOf().insert({});
      const [claimed] = await ledgerOf().claim();
      tokens.push(...[first, other, left, claimed!].map(({ leaseToken }) => BigInt(leaseToken)));
    }
    expect(tokens).toEqual(tokens.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(tokens).size).toBe(20);
  });

  it('draws the token when nobody else can take the name any more: who waited has a greater one than who was first', async () => {
    const first = await ledgerOf().client();
    await first.query('begin');
    await first.query('select pg_advisory_xact_lock($1, $2)', [...advisoryLock('scheduled_jobs', 'lease/invoices')]);
    const asked = acquire();
    await expect.poll(() => ledgerOf().lockWaits('advisory')).toBe(1);
    const { token } = await ledgerOf().row<{ token: string }>(`select nextval('lease_tokens') as token`);
    await first.query('commit');
    expect(BigInt((await asked).leaseToken)).toBeGreaterThan(BigInt(token));
  });

  it('is decided by the clock of the database when no time is bound', async () => {
    await acquire({ now: null, ttlMs: 60_000 });
    expect(
      await ledgerOf().row(`select lease_until - now() between interval '50 s' and interval '60 s' as ok from leases`),
    ).toEqual({ ok: true });
    expect(await ask({ holder: 'h2', now: null })).toMatchObject({ acquired: false, holder: 'h1' });
  });
});

describe('renew', () => {
  it('makes the lease last its full time again', async () => {
    const lease = await acquire();
    expect(await leasesOf().renew(lease, after(29_999))).toBe(true);
    expect(await rows()).toMatchObject([{ lease_until: after(59_999) }]);
  });

  it('refuses a lease whose time is over, even if nobody took it', async () => {
    const lease = await acquire();
    expect(await leasesOf().renew(lease, after(30_000))).toBe(false);
    expect(await rows()).toMatchObject([{ lease_until: after(30_000) }]);
  });

  it('is fenced: a former holder renews nothing, neither after a takeover nor after its own release', async () => {
    const former = await acquire();
    const present = await acquire({ holder: 'h2', now: after(30_000) });
    expect(await leasesOf().renew(former, after(31_000))).toBe(false);
    expect(await rows()).toMatchObject([{ holder: 'h2', lease_until: after(60_000) }]);
    await leasesOf().release(present);
    expect(await leasesOf().renew(present, after(32_000))).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it('passes a transaction of the holder that has fenced the lease', async () => {
    const lease = await acquire();
    const runner = await begin();
    await leasesOf().fence(lease, runner.manager, T0);
    expect(await leasesOf().renew(lease, after(1_000))).toBe(true);
  });
});

describe('release', () => {
  it('frees the name at once and leaves no row', async () => {
    await leasesOf().release(await acquire());
    expect(await rows()).toEqual([]);
    expect(await ask({ holder: 'h2' })).toMatchObject({ acquired: true });
  });

  it('is fenced: a former holder frees nothing of the present one, and twice is as once', async () => {
    const former = await acquire();
    const present = await acquire({ holder: 'h2', now: after(30_000) });
    await leasesOf().release(former);
    expect(await rows()).toEqual([{ name: 'invoices', holder: 'h2', lease_until: after(60_000) }]);
    await leasesOf().release(present);
    await leasesOf().release(present);
    expect(await rows()).toEqual([]);
  });

  it('does not wait for an open transaction behind its fence: the lease runs out by itself', async () => {
    const lease = await acquire();
    const runner = await begin();
    await leasesOf().fence(lease, runner.manager, T0);
    await leasesOf().release(lease);
    expect(await rows()).toHaveLength(1);
  });
});

describe('fence', () => {
  it('holds for the present holder alone, as long as its time lasts', async () => {
    const former = await acquire();
    const { manager } = await begin();
    expect(await leasesOf().fence(former, manager, after(29_999))).toBe(true);
    expect(await leasesOf().fence(former, manager, after(30_000))).toBe(false);
    await runners[0]!.commitTransaction();
    const present = await acquire({ holder: 'h2', now: after(30_000) });
    const { manager: next } = await begin();
    expect(await leasesOf().fence(former, next, after(31_000))).toBe(false);
    expect(await leasesOf().fence(present, next, after(31_000))).toBe(true);
  });

  it('goes by the time that has come, not by the beginning of the transaction', async () => {
    const { manager } = await begin();
    await manager.query('select now()');
    const lease = await acquire({ now: null, ttlMs: 1 });
    await ledgerOf().sql('select pg_sleep(0.01)');
    expect(await leasesOf().fence(lease, manager, null)).toBe(false);
  });

  it('keeps others from taking the lease until the transaction ends, without making them wait', async () => {
    const lease = await acquire();
    const runner = await begin();
    await leasesOf().fence(lease, runner.manager, T0);
    const late = { holder: 'h2', now: after(40_000) };
    expect(await ask(late)).toMatchObject({ acquired: false, holder: 'h1', leaseUntil: after(30_000) });
    expect(await leasesOf().removeExpired(10, after(40_000))).toBe(0);
    await runner.commitTransaction();
    expect(await ask(late)).toMatchObject({ acquired: true });
  });

  it('has a silent transaction ended by the server after the time of the lease, unless the host says otherwise', async () => {
    const idle = 'idle_in_transaction_session_timeout';
    const lease = await acquire();
    const own = await begin();
    await leasesOf().fence(lease, own.manager, T0);
    expect(await own.query(`select current_setting('${idle}') as ms`)).toEqual([{ ms: '30s' }]);
    await own.rollbackTransaction();
    expect(await own.query(`select current_setting('${idle}') as ms`)).toEqual([{ ms: '0' }]);
    const host = await begin();
    await host.query(`set local ${idle} = '7s'`);
    await leasesOf().fence(lease, host.manager, T0);
    expect(await host.query(`select current_setting('${idle}') as ms`)).toEqual([{ ms: '7s' }]);
  });

  describe('in a REPEATABLE READ transaction', () => {
    async function beginAsSeen(): Promise<QueryRunner> {
      const runner = await begin('REPEATABLE READ');
      await runner.query('select name from scheduled_jobs.leases');
      return runner;
    }

    it('judges the lease as it was when the transaction began to look: a renewal since then does not count', async () => {
      const lease = await acquire();
      const { manager } = await beginAsSeen();
      await leasesOf().renew(lease, after(20_000));
      expect(await leasesOf().fence(lease, manager, after(29_999))).toBe(true);
      expect(await leasesOf().fence(lease, manager, after(30_000))).toBe(false);
    });

    it('never holds for a lease that was taken over or freed meanwhile', async () => {
      const taken = await acquire({ name: 'taken' });
      const freed = await acquire({ name: 'freed', ttlMs: 60_000 });
      const runner = await beginAsSeen();
      await acquire({ name: 'taken', holder: 'h2', now: after(30_000) });
      await leasesOf().release(freed);
      expect(await leasesOf().fence(taken, runner.manager, after(30_000))).toBe(false);
      await expect(leasesOf().fence(freed, runner.manager, after(30_000))).rejects.toMatchObject({ code: '40001' });
    });
  });
});

describe('removeExpired', () => {
  it('removes leases that ran out, up to the limit, and no other', async () => {
    await acquire({ name: 'a', ttlMs: 1_000 });
    await acquire({ name: 'b', ttlMs: 1_000 });
    await acquire({ name: 'c', ttlMs: 1_001 });
    expect(await leasesOf().removeExpired(1, after(1_000))).toBe(1);
    expect(await leasesOf().removeExpired(10, after(1_000))).toBe(1);
    expect(await leasesOf().removeExpired(10, after(1_000))).toBe(0);
    expect(await rows()).toMatchObject([{ name: 'c' }]);
  });
});
