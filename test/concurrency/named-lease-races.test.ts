import type { EntityManager } from 'typeorm';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NamedLeases } from '../../libs/scheduled-jobs/src/engine/named-leases.js';
import { SYSTEM_CLOCK } from '../../libs/scheduled-jobs/src/core/system-clock.js';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables, resetBusinessTables } from '../support/business-tables.js';
import { EventRecorder } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const recorder = new EventRecorder();
const newLeases = (store = ledgerOf().stores.leases) =>
  new NamedLeases<EntityManager>({ store, clock: SYSTEM_CLOCK, emit: recorder.emit });

describe('acquire', () => {
  it('gives a free name to one of twenty who ask at once', async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          ledgerOf().stores.leases.acquire({ name: `free ${round}`, holder: `h${n}`, ttlMs: 30_000, now: T0 }),
        ),
      );
      expect(answers.filter(({ acquired }) => acquired)).toHaveLength(1);
    }
  });

  it('gives a name whose time is over to one of twenty, also while its row is removed or renewed too late', async () => {
    const { leases } = ledgerOf().stores;
    for (let round = 0; round < 20; round++) {
      const name = `over ${round}`;
      const former = await leases.acquire({ name, holder: 'former', ttlMs: 1_000, now: T0 });
      if (!former.acquired) throw new Error('It was free.');
      const asked = Array.from({ length: 20 }, (_, n) =>
        leases.acquire({ name, holder: `h${n}`, ttlMs: 30_000, now: after(1_000) }),
      );
      const meanwhile = [leases.removeExpired(10, after(1_000)), leases.renew(former.lease, after(1_000))];
      const [renewed] = (await Promise.all(meanwhile)).slice(1);
      const won = (await Promise.all(asked)).filter(({ acquired }) => acquired);
      expect(won).toHaveLength(1);
      expect(renewed).toBe(false);
      expect(await leases.release(former.lease)).toBeUndefined();
      expect(await ledgerOf().sql('select 1 from leases where name = $1', [name])).toHaveLength(1);
    }
  });
});

describe('Twenty contenders', () => {
  it('are inside one at a time, and each has a greater token than the one before', async () => {
    // Two at once would break the check of the table.
    await ledgerOf().sql(`
      create table public.inside (n int check (n between 0 and 1));
      insert into public.inside values (0);
      create table public.entered (id bigint generated always as identity, token bigint, contender int)`);
    const [one, two] = await Promise.all([ledgerOf().connect(), ledgerOf().connect()]);
    const sections = { done: 0 };
    const contend = async (contender: number) => {
      const dataSource = contender % 2 === 0 ? one : two;
      const leases = newLeases(ledgerOf().storesOf(dataSource).leases);
      while (sections.done < 60) {
        await leases.withLease('counter', { ttlMs: 30_000, waitMs: 0 }, async (lease) => {
          sections.done++;
          await dataSource.transaction(async (tx) => {
            await tx.query('update public.inside set n = n + 1');
            await tx.query('insert into public.entered (token, contender) values ($1, $2)', [
              lease.leaseToken,
              contender,
            ]);
            await lease.fence(tx);
          });
          await dataSource.transaction(async (tx) => {
            await tx.query('update public.inside set n = n - 1');
            await lease.fence(tx);
          });
        });
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, contender) => contend(contender)));
    const entered = await ledgerOf().sql<{ token: string }>('select token from public.entered order by id');
    const tokens = entered.map(({ token }) => BigInt(token));
    expect(tokens.length).toBeGreaterThanOrEqual(60);
    expect(tokens.every((token, n) => n === 0 || token > tokens[n - 1]!)).toBe(true);
    const { n } = await ledgerOf().row<{ n: number }>('select count(distinct contender)::int as n from public.entered');
    expect(n).toBeGreaterThan(1);
    expect(await ledgerOf().sql('select 1 from leases')).toEqual([]);
    await ledgerOf().sql('drop table public.inside, public.entered');
  }, 60_000);
});

describe('The lease of a process', () => {
  const processes = new BareProcesses();
  const lease = { name: 'invoices', ttlMs: 1_500 };
  beforeAll(() => createBusinessTables(ledgerOf()));
  beforeEach(() => resetBusinessTables(ledgerOf(), 1));
  afterEach(() => processes.killAll());

  const hold = async () => {
    const holder = await processes.start({ url: ledgerOf().url, jobs: ['once'], lease });
    const { leaseToken } = await holder.next('lease-held');
    return { holder, token: BigInt(leaseToken as string) };
  };
  /** Waits for the lease; gives its token and how long its row had been over. */
  const takeOver = (section: () => Promise<void> = async () => {}) =>
    newLeases().withLease(lease.name, { ttlMs: 30_000, waitMs: 30_000 }, async ({ leaseToken }) => {
      await section();
      return BigInt(leaseToken);
    });

  it('that was killed is taken over once its time is over, and not before', async () => {
    const { holder, token } = await hold();
    await holder.kill();
    const { until } = await ledgerOf().row<{ until: Date }>('select lease_until as until from leases');
    const next = await takeOver(async () => {
      const [row] = await ledgerOf().sql<{ at: Date }>('select acquired_at as at from leases');
      expect(row!.at.getTime()).toBeGreaterThanOrEqual(until.getTime());
    });
    expect(next.acquired && next.value > token).toBe(true);
  }, 60_000);

  it('that froze is taken over; when it wakes its signal fires, its fences refuse, and it frees nothing', async () => {
    const { holder, token } = await hold();
    holder.signal('SIGSTOP');
    const next = await takeOver(async () => {
      const taken = await ledgerOf().sql('select holder, lease_token from leases');
      holder.signal('SIGCONT');
      expect(await holder.next('lease-signal')).toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST' });
      expect(await holder.next('fence-refused')).toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST' });
      expect(await holder.next('fenced')).toMatchObject({ held: false });
      expect(await holder.next('lease-lost')).toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST' });
      expect(await holder.stop()).toMatchObject({ code: 0 });
      expect(await ledgerOf().sql('select holder, lease_token from leases')).toEqual(taken);
    });
    expect(next.acquired && next.value > token).toBe(true);
    expect(await ledgerOf().row('select balance from public.accounts')).toEqual({ balance: 0 });
  }, 60_000);

  it('that froze inside a fenced transaction is taken over once the server has ended that', async () => {
    const { leases } = ledgerOf().stores;
    const held = await leases.acquire({ name: lease.name, holder: 'frozen', ttlMs: 1_000, now: null });
    if (!held.acquired) throw new Error('It was free.');
    const runner = (await ledgerOf().connect({ poolSize: 1 })).createQueryRunner();
    await runner.startTransaction();
    expect(await leases.fence(held.lease, runner.manager, null)).toBe(true);
    expect(await takeOver()).toMatchObject({ acquired: true });
    await expect(runner.commitTransaction()).rejects.toThrow('already released');
  }, 60_000);
});
