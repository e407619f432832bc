import { DataSource, type DataSourceOptions } from 'typeorm';
import { afterEach, beforeEach } from 'vitest';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import type { TestLedger } from './ledger.js';
import { TcpProxy } from './tcp-proxy.js';

type PostgresOptions = Partial<Extract<DataSourceOptions, { type: 'postgres' }>>;

/** Stores whose database can be cut off, and what cuts it off. */
export interface ProxiedLedger {
  readonly proxy: TcpProxy;
  readonly stores: Stores;
}

/** Stores behind a proxy, made anew for each test of a suite. Call it behind `useLedger`. */
export function useProxiedLedger(ledgerOf: () => TestLedger, options: PostgresOptions = {}): () => ProxiedLedger {
  let proxy: TcpProxy;
  let dataSource: DataSource;
  beforeEach(async () => {
    proxy = await TcpProxy.to(ledgerOf().url);
    dataSource = await new DataSource({
      type: 'postgres',
      url: proxy.url,
      extra: { connectionTimeoutMillis: 200 },
      ...options,
    }).initialize();
  });
  afterEach(async () => {
    proxy.cut();
    await dataSource.destroy();
    await proxy.close();
  });
  return () => ({ proxy, stores: ledgerOf().storesOf(dataSource) });
}
