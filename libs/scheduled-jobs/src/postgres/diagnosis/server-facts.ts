import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import { inspectServerSql, type ServerRow } from '../statements/inspect-server.sql.js';

/** What a server says of itself, and how it is reached. */
export interface ServerFacts {
  readonly now: Date;
  /** Such as `16.4`. */
  readonly version: string;
  /** Such as `160004`. */
  readonly versionNumber: number;
  /** It only follows another server, and refuses writes. */
  readonly isStandby: boolean;
  /** Connections that ordinary roles may have. */
  readonly maxConnections: number;
  readonly usedConnections: number;
  /** Sessions that this role may not look into. */
  readonly hiddenSessions: number;
  /** The transaction of this database that is open for longest; null = none that can be seen. */
  readonly oldest: {
    readonly pid: number;
    readonly application: string;
    readonly state: string;
    readonly ageMs: number;
  } | null;
  /** Prepared transactions of this database. */
  readonly prepared: number;
  readonly oldestPreparedMs: number | null;
  /** By this process's clock, halfway between question and answer. */
  readonly processNow: Date;
  readonly roundTripMs: number;
}

/** @throws StoreUnavailableError when the database cannot be reached. */
export async function readServer(dataSource: DataSource): Promise<ServerFacts> {
  const database = new Database(dataSource);
  // The second question needs no new connection, so that its answer tells how far away the server is.
  await ask(database);
  const startedMs = Date.now();
  const row = await ask(database);
  const roundTripMs = Date.now() - startedMs;
  const { oldest_pid: pid, oldest_application: application, oldest_state: state, oldest_ms: ageMs } = row;
  return {
    now: row.now,
    version: row.version,
    versionNumber: row.version_number,
    isStandby: row.is_standby,
    maxConnections: row.max_connections - row.reserved_connections,
    usedConnections: row.used_connections,
    hiddenSessions: row.hidden_sessions,
    oldest: pid === null || ageMs === null ? null : { pid, application: application ?? '', state: state ?? '', ageMs },
    prepared: row.prepared,
    oldestPreparedMs: row.oldest_prepared_ms,
    processNow: new Date(startedMs + roundTripMs / 2),
    roundTripMs,
  };
}

async function ask(database: Database): Promise<ServerRow> {
  const [row] = await database.query<ServerRow>('look at the server', inspectServerSql(), []);
  if (row === undefined) throw new Error('The server said nothing of itself.');
  return row;
}
