import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { Database } from '../../libs/scheduled-jobs/src/postgres/database/database.js';
import { useLedger } from '../support/ledger-tests.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const ledgerOf = useLedger();
const database = () => new Database(ledgerOf().dataSource);

/** Resolves for both once both have called it; later calls pass. */
function meeting(): () => Promise<void> {
  let arrived = 0;
  let open = (): void => {};
  const both = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (++arrived >= 2) open();
    return both;
  };
}

describe('a statement whose plan is kept', () => {
  it('is planned once a connection, and goes on without a name where names are lost or taken', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 1 });
    const statement = 'select $1::int as n';
    const ask = (of: Database, n: number) => of.queryPlanned('ask', statement, [n]);
    const names = () => dataSource.query<{ name: string }[]>('select name from pg_prepared_statements');
    const own = new Database(dataSource);
    expect([await ask(own, 1), await ask(own, 2)]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    const [prepared] = await names();
    expect(await names()).toEqual([{ name: expect.stringMatching(/^scheduled_jobs_[0-9a-f]{32}$/) as unknown }]);
    await dataSource.query('deallocate all');
    expect([await ask(own, 3), await ask(own, 4)]).toEqual([[{ n: 3 }], [{ n: 4 }]]);
    expect(await names()).toEqual([]);
    await dataSource.destroy();

    const other = await ledgerOf().connect({ poolSize: 1 });
    await other.query(`prepare "${prepared?.name}" as ${statement}`);
    expect(await ask(new Database(other), 5)).toEqual([{ n: 5 }]);
    await other.destroy();
  });
});

describe('a transaction of our own', () => {
  it('is done again when PostgreSQL ends it for the sake of another', async () => {
    await ledgerOf().jobs({ name: 'a' }, { name: 'b' });
    const meet = meeting();
    let runs = 0;
    const raise = (...names: string[]) =>
      database().transaction('raise', async (session) => {
        runs += 1;
        for (const name of names) {
          await session.query('update scheduled_jobs.jobs set concurrency = concurrency + 1 where name = $1', [name]);
          await meet();
        }
      });
    await Promise.all([raise('a', 'b'), raise('b', 'a')]);
    expect(runs).toBe(3);
    expect(await ledgerOf().sql('select concurrency from jobs')).toEqual([{ concurrency: 3 }, { concurrency: 3 }]);
  });

  it('is given up when that does not help', async () => {
    let runs = 0;
    const conflict = database().transaction('raise', (session) => {
      runs += 1;
      return session.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    await expect(conflict).rejects.toThrow(StoreUnavailableError);
    expect(runs).toBe(5);
  });

  it('rolls back what it did and frees its connection when its work fails', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 1 });
    const own = new Database(dataSource);
    const failed = own.transaction('insert', async (session) => {
      await session.query(`insert into scheduled_jobs.jobs values ('gone', 'queue', 1)`);
      throw new RangeError('no');
    });
    await expect(failed).rejects.toThrow(RangeError);
    expect(await own.query('look', 'select name from scheduled_jobs.jobs', [])).toEqual([]);
    await dataSource.destroy();
  });

  it('gives its locks back when its process falls silent in the middle of it', async () => {
    await ledgerOf().jobs({ name: 'a' });
    const dataSource = await ledgerOf().connect({ poolSize: 1, logging: false });
    const ofOther = `select name from jobs where name = 'a' for update skip locked`;
    const silent = new Database(dataSource, undefined, 2_000).transaction('raise', async (session) => {
      await session.query(`select 1 from scheduled_jobs.jobs where name = 'a' for update`);
      expect(await ledgerOf().sql(ofOther)).toEqual([]);
      await expect.poll(() => ledgerOf().sql(ofOther)).toEqual([{ name: 'a' }]);
      return session.query('select 1');
    });
    await expect(silent).rejects.toThrow(StoreUnavailableError);
    expect(await new Database(dataSource).query('look', 'select 1 as n', [])).toEqual([{ n: 1 }]);
    await dataSource.destroy();
  });

  it('may be silent for a minute', async () => {
    const shown = database().transaction('look', (session) =>
      session.query('show idle_in_transaction_session_timeout'),
    );
    expect(await shown).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
  });
});

describe('a statement of our own', () => {
  const look = (own: Database) => own.query('look', 'select 1 as n', []);

  it.each([
    ['alone', look],
    ['in a transaction', (own: Database) => own.transaction('look', (session) => session.query('select 1 as n'))],
  ])('gives up a connection that stays silent, and its pool opens another one: %s', async (_name, ask) => {
    const proxy = await TcpProxy.to(ledgerOf().url);
    const dataSource = await ledgerOf().connect({ url: proxy.url, poolSize: 1, logging: false });
    const own = new Database(dataSource, 1_000);
    await look(own);
    proxy.goSilent();
    await expect(ask(own)).rejects.toThrow(StoreUnavailableError);
    proxy.recover();
    expect(await ask(own)).toEqual([{ n: 1 }]);
    await dataSource.destroy();
    await proxy.close();
  });

  it('does not wait for ever for a connection that a silent server took, and its pool recovers', async () => {
    const proxy = await TcpProxy.to(ledgerOf().url);
    const dataSource = await ledgerOf().connect({ url: proxy.url, poolSize: 1, logging: false });
    const own = new Database(dataSource, 300);
    proxy.goSilent();
    proxy.cut();
    await expect
      .poll(() => look(own).catch((error: unknown) => error))
      .toMatchObject({
        code: 'JOBS_STORE_UNAVAILABLE',
        cause: { message: 'The data source gave no connection within 300 ms.' },
      });
    proxy.recover();
    await expect.poll(() => look(own).catch(() => 'away')).toEqual([{ n: 1 }]);
    await dataSource.destroy();
    await proxy.close();
  });

  it('gives a connection that comes too late back to its pool', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 1, logging: false });
    const own = new Database(dataSource, 1_000);
    const busy = dataSource.createQueryRunner();
    await busy.connect();
    await expect(look(own)).rejects.toThrow(StoreUnavailableError);
    await busy.release();
    expect(await look(own)).toEqual([{ n: 1 }]);
    await dataSource.destroy();
  });

  it('leaves a connection whose server has become read-only, as an old primary is', async () => {
    const dataSource = await ledgerOf().connect({ poolSize: 1, logging: false });
    const own = new Database(dataSource);
    const write = () =>
      own.query('write', `insert into scheduled_jobs.jobs values ('a', 'queue', 1) returning name`, []);
    await dataSource.query('set default_transaction_read_only = on');
    await expect(write()).rejects.toThrow(StoreUnavailableError);
    expect(await write()).toEqual([{ name: 'a' }]);
    await dataSource.destroy();
  });

  it('has a millisecond more for each element of a list', async () => {
    const own = new Database(ledgerOf().dataSource, 200);
    const wait = (rows: number) =>
      own.query('wait', 'select count(pg_sleep(0.4)), $1::int[] is null as x', [Array.from({ length: rows }, () => 1)]);
    await expect(wait(1)).rejects.toThrow(StoreUnavailableError);
    expect(await wait(2_000)).toMatchObject([{ x: false }]);
  });
});
