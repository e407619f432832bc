import type { INestApplication } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  BackgroundJob,
  InvalidRequestError,
  Leases,
  NamedLeaseLostError,
  runWorker,
  ScheduledJob,
  type LeaseOptions,
  type NamedLease,
} from 'nestjs-scheduled-jobs';
import { DataSource } from 'typeorm';
import { ClientApp } from '../support/client-app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';
import { upkeepOf, type UpkeepProvider } from '../support/upkeep-of.js';

describe('Leases', () => {
  const client = new ClientApp([]);
  const leases = () => client.app.get(Leases);
  const rows = () => client.dataSource.query(`select name from ${client.schema}.leases`);
  const refused = async (name: unknown, options: unknown = {}, section: unknown = () => 'value') => {
    const error: unknown = await leases()
      .withLease(name as string, options as LeaseOptions, section as () => string)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    return error as InvalidRequestError;
  };

  it('run a section while they hold its name, and free it', async () => {
    const seen: unknown[] = [];
    const result = await leases().withLease('invoices', { ttl: '10s' }, async (lease) => {
      seen.push(lease.name, lease.leaseToken, lease.signal.aborted, await rows());
      return 42;
    });
    expect(result).toEqual({ acquired: true, value: 42 });
    expect(seen).toEqual(['invoices', expect.stringMatching(/^\d+$/), false, [{ name: 'invoices' }]]);
    expect(await rows()).toEqual([]);
  });

  it('last 30 s without a renewal when nothing is said', async () => {
    const [row] = await leases()
      .withLease('invoices', {}, () =>
        client.dataSource.query<{ s: number }[]>(
          `select extract(epoch from lease_until - acquired_at)::int as s from ${client.schema}.leases`,
        ),
      )
      .then((result) => (result.acquired ? result.value : []));
    expect(row).toEqual({ s: 30 });
  });

  it('are not re-entrant, and tell who holds the name and until when', async () => {
    const inner = await leases().withLease('invoices', {}, () => leases().withLease('invoices', {}, () => 'inside'));
    expect(inner).toMatchObject({
      acquired: true,
      value: { acquired: false, holder: expect.stringContaining(`:${process.pid}:`) as string },
    });
    const { value } = inner as { value: { leaseUntil: Date; now: Date } };
    expect(value.leaseUntil.getTime()).toBeGreaterThan(value.now.getTime());
  });

  it('pass on what a section throws, also at once', async () => {
    const thrown = leases().withLease('invoices', {}, () => {
      throw new Error('mine');
    });
    await expect(thrown).rejects.toThrow('mine');
    expect(await rows()).toEqual([]);
  });

  it('fence a transaction of the section, and refuse a manager that is in none', async () => {
    let outside: unknown;
    await leases().withLease('invoices', {}, async (lease) => {
      await client.dataSource.transaction((manager) => lease.fence(manager));
      outside = await lease.fence(client.dataSource.manager).catch((thrown: unknown) => thrown);
    });
    expect(outside).toBeInstanceOf(InvalidRequestError);
    expect(String(outside)).toContain('manager is not in a transaction');
  });

  it('refuse the transaction of a section whose lease was taken', async () => {
    const overtaken = leases().withLease('invoices', {}, async (lease: NamedLease) => {
      await client.dataSource.query(`update ${client.schema}.leases set lease_token = nextval($1)`, [
        `${client.schema}.lease_tokens`,
      ]);
      await client.dataSource.transaction((manager) => lease.fence(manager));
    });
    await expect(overtaken).rejects.toBeInstanceOf(NamedLeaseLostError);
    await client.dataSource.query(`truncate ${client.schema}.leases`);
  });

  it('name the options that were left out', async () => {
    const { problems } = await refused('prices', () => 'value', null);
    expect(problems).toEqual([
      'the options must be an object, got a function',
      'the section must be a function, got null',
    ]);
  });

  it('name every problem at once', async () => {
    const { problems, code } = await refused('', { ttl: '10ms', wait: '2h', tll: '1s' }, 'no function');
    expect(code).toBe('JOBS_INVALID_REQUEST');
    expect(problems).toEqual([
      'the name must be a text of 1 to 200 characters',
      'tll is not an option. Did you mean "ttl"?',
      'ttl must be a duration between 1s and 1h, got "10ms"',
      'wait must be a duration of at most 1h, got "2h"',
      'the section must be a function, got "no function"',
    ]);
  });

  it.each([
    [undefined, 'the name must be a text of 1 to 200 characters'],
    ['x'.repeat(201), 'the name must be a text of 1 to 200 characters'],
    ['a\u0000', 'the name contains U+0000, which PostgreSQL cannot store'],
    ['a\uD800', 'the name contains half of a surrogate pair'],
    ['nestjs-scheduled-jobs:upkeep', 'names that begin with "nestjs-scheduled-jobs:" are reserved'],
  ])('refuse the name %j', async (name, problem) => {
    expect((await refused(name)).problems).toEqual([problem]);
  });

  it('take any other text as a name', async () => {
    for (const name of ['x'.repeat(200), 'Rechnungen für “März” 🧾', ' ']) {
      expect(await leases().withLease(name, { ttl: '1h' }, ({ name }) => name)).toEqual({
        acquired: true,
        value: name,
      });
    }
  });
});

describe('Upkeep', () => {
  let database: TestDatabase;
  let app: INestApplication | undefined;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await app?.close();
    app = undefined;
  });
  afterAll(() => database.drop());

  class Jobs {
    @ScheduledJob('0 * * * *', { name: 'hourly' })
    hourly(): void {}

    @BackgroundJob({ name: 'background' })
    background(): void {}
  }
  async function start(jobs: { scheduler: boolean; worker: boolean }) {
    app = await createApp(jobsModule({ url: database.url, providers: [Jobs], jobs }));
    const upkeep = upkeepOf(app);
    const calls = { start: vi.spyOn(upkeep, 'start'), stop: vi.spyOn(upkeep, 'stop') };
    await app.listen(0, '127.0.0.1');
    return { upkeep, calls };
  }

  it.each([
    { scheduler: true, worker: false, runs: true },
    { scheduler: false, worker: true, runs: true },
    { scheduler: false, worker: false, runs: false },
  ])('runs where something ticks or claims: scheduler $scheduler, worker $worker', async ({ runs, ...roles }) => {
    const { calls } = await start(roles);
    expect(calls.start.mock.calls.length > 0).toBe(runs);
    await app?.close();
    app = undefined;
    expect(calls.stop).toHaveBeenCalled();
  });

  it('runs in a process that was started as a worker', async () => {
    const { upkeep } = await start({ scheduler: false, worker: false });
    const started = vi.spyOn(Object.getPrototypeOf(upkeep) as UpkeepProvider, 'start');
    const listeners = process.listeners('SIGTERM');
    const worker = await runWorker(
      jobsModule({ url: database.url, providers: [Jobs], jobs: { scheduler: false, worker: false } }),
      { logger: false },
    );
    await worker.close();
    for (const one of process.listeners('SIGTERM')) if (!listeners.includes(one)) process.off('SIGTERM', one);
    expect(started).toHaveBeenCalledOnce();
  });

  it('does its duties over the ledger of the application', async () => {
    const { upkeep } = await start({ scheduler: true, worker: true });
    expect(await upkeep.runOnce()).toEqual({ orphaned: [], pruned: 0, hasMore: false, failures: [] });
    expect(app?.get(DataSource).isInitialized).toBe(true);
  });
});
