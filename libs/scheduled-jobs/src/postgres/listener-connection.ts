import type { DataSource } from 'typeorm';
import type { ClientConfig } from 'pg';
import { definedOnly } from '../core/defined-only.js';

/** The connection options of a data source that matter to a single client. */
interface Credentials {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: string | (() => string | Promise<string>);
  readonly database?: string;
  readonly ssl?: ClientConfig['ssl'];
}

/** Where the listener connects: the given URL, or the same server as the data source, read as the ORM reads its options. */
export function listenerConnection(dataSource: DataSource, listenUrl: string | null): ClientConfig {
  if (listenUrl !== null) return { connectionString: listenUrl };
  const options = dataSource.options as Credentials & {
    readonly replication?: { readonly master: Credentials };
    readonly extra?: ClientConfig;
  };
  const from = options.replication?.master ?? options;
  const own: ClientConfig = {
    connectionString: from.url,
    host: from.host,
    port: from.port,
    user: from.username,
    password: from.password,
    database: from.database,
    ssl: from.ssl,
  };
  return definedOnly({ ...own, ...options.extra });
}
