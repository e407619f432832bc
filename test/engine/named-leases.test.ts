import type { EntityManager } from 'typeorm';
import { beforeEach, describe, expect, it } from 'vitest';
import { NamedLeases, type LeaseSection } from '../../libs/scheduled-jobs/src/engine/named-leases.js';
import { SYSTEM_CLOCK } from '../../libs/scheduled-jobs/src/core/system-clock.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { EventRecorder, eventually, gate } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { useProxiedLedger } from '../support/proxied-ledger.js';

type Section = LeaseSection<EntityManager>;

const ledgerOf = useLedger();
const recorder = new EventRecorder();
const leasesOf = (stores: Stores = ledgerOf().stores) =>
  new NamedLeases<EntityManager>({ store: stores.leases, clock: SYSTEM_CLOCK, emit: recorder.emit });
const ask = (leases: NamedLeases<EntityManager>, ttlMs = 30_000, waitMs = 0) =>
  leases.withLease('invoices', { ttlMs, waitMs }, async ({ leaseToken }) => leaseToken);
const rows = () => ledgerOf().sql('select name from leases');
beforeEach(() => {
  recorder.events.length = 0;
});

describe('A held lease', () => {
  it('outlives its own time by renewals, and is free right after its section', async () => {
    const other = leasesOf();
    const result = await leasesOf().withLease('invoices', { ttlMs: 1_000, waitMs: 0 }, async ({ signal }) => {
      const { over } = await ledgerOf().row<{ over: Date }>('select lease_until as over from leases');
      await eventually(
        async () => (await ledgerOf().sql('select 1 from leases where now() > $1::timestamptz', [over])).length > 0,
      );
      expect(await ask(other)).toMatchObject({ acquired: false });
      return signal.aborted;
    });
    expect(result).toEqual({ acquired: true, value: false });
    expect(await ask(other)).toMatchObject({ acquired: true });
    expect(await rows()).toEqual([]);
  });

  it('is handed on to one who waits for it', async () => {
    const held = gate();
    const entered = gate();
    const first = leasesOf().withLease('invoices', { ttlMs: 30_000, waitMs: 0 }, async () => {
      entered.open();
      await held.passed;
    });
    await entered.passed;
    const refused = gate();
    const { stores } = ledgerOf();
    const leases = Object.create(stores.leases, {
      acquire: {
        value: async (request: Parameters<Stores['leases']['acquire']>[0]) => {
          const answer = await stores.leases.acquire(request);
          if (!answer.acquired) refused.open();
          return answer;
        },
      },
    }) as Stores['leases'];
    const second = ask(leasesOf({ ...stores, leases }), 30_000, 20_000);
    await refused.passed;
    held.open();
    await first;
    expect(await second).toMatchObject({ acquired: true });
  });

  it('fences the transaction in its section: it commits while the lease is held, and rolls back once it was taken', async () => {
    await ledgerOf().sql('create table if not exists public.effects (by text)');
    const pay = async (lease: Section, by: string) =>
      ledgerOf().dataSource.transaction(async (tx) => {
        await tx.query('insert into public.effects values ($1)', [by]);
        await lease.fence(tx);
      });
    const overtaken = leasesOf().withLease('invoices', { ttlMs: 30_000, waitMs: 0 }, async (lease) => {
      await pay(lease, 'first');
      await ledgerOf().sql(`update leases set lease_until = now()`);
      expect(
        await leasesOf().withLease('invoices', { ttlMs: 30_000, waitMs: 0 }, (next) => pay(next, 'next')),
      ).toMatchObject({ acquired: true });
      await pay(lease, 'too late');
    });
    await expect(overtaken).rejects.toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST' });
    expect(await ledgerOf().sql('select by from public.effects')).toEqual([{ by: 'first' }, { by: 'next' }]);
    await ledgerOf().sql('drop table public.effects');
  });
});

describe('A lease whose database goes away', () => {
  const away = useProxiedLedger(ledgerOf);
  const behindProxy = () => leasesOf(away().stores);

  it('loses nothing when it cannot be freed: the value stands, and the lease runs out by itself', async () => {
    const result = await behindProxy().withLease('invoices', { ttlMs: 1_500, waitMs: 0 }, async () => {
      away().proxy.goSilent();
      away().proxy.cut();
      return 'value';
    });
    expect(result).toEqual({ acquired: true, value: 'value' });
    const [left] = await ledgerOf().sql<{ until: Date }>('select lease_until as until from leases');
    const next = await leasesOf().withLease('invoices', { ttlMs: 30_000, waitMs: 20_000 }, async (lease) => lease);
    if (!next.acquired) throw new Error('It did not run out.');
    expect(next.value.acquiredAt.getTime()).toBeGreaterThanOrEqual(left!.until.getTime());
  });

  it('is lost for its section at the end of its time when nothing is answered any more, and then taken by others', async () => {
    const startedMs = performance.now();
    const lost = behindProxy().withLease('invoices', { ttlMs: 1_000, waitMs: 0 }, async ({ signal }) => {
      away().proxy.goSilent();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    await expect(lost).rejects.toMatchObject({ code: 'JOBS_NAMED_LEASE_LOST' });
    expect(performance.now() - startedMs).toBeGreaterThan(999);
    expect(await ask(leasesOf(), 30_000, 20_000)).toMatchObject({ acquired: true });
  });

  it('goes on when the database is back within its time', async () => {
    const result = await behindProxy().withLease('invoices', { ttlMs: 9_000, waitMs: 0 }, async ({ signal }) => {
      away().proxy.goSilent();
      away().proxy.cut();
      await recorder.next('service.failed', { withinMs: 8_000 });
      away().proxy.recover();
      const { until } = await ledgerOf().row<{ until: Date }>('select lease_until as until from leases');
      await eventually(
        async () => (await ledgerOf().sql('select 1 from leases where lease_until > $1', [until])).length > 0,
      );
      return signal.aborted;
    });
    expect(result).toEqual({ acquired: true, value: false });
  });
});
