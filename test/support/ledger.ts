import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { EngineEvent } from '../../libs/scheduled-jobs/src/core/events/engine-event.js';
import type { AttemptRecord } from '../../libs/scheduled-jobs/src/core/execution/attempt-record.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import type { OverlapPolicy } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import type { Inserted } from '../../libs/scheduled-jobs/src/core/ports/execution-store.js';
import { createStores, type Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { migrate } from '../../libs/scheduled-jobs/src/postgres/migrate.js';
import { rescueExpiredSql } from '../../libs/scheduled-jobs/src/postgres/statements/rescue-expired.sql.js';
import { createDatabase } from './database.js';

/** The bound time of tests: nothing in them depends on the clock. */
export const T0 = new Date('2026-03-01T12:00:00.000Z');
export const after = (ms: number, from: Date = T0): Date => new Date(from.getTime() + ms);

type PostgresOptions = Partial<Extract<DataSourceOptions, { type: 'postgres' }>>;

/** A database of its own with a migrated ledger, whose sessions have no search path. */
export class TestLedger {
  readonly events: EngineEvent[] = [];
  private readonly clients: pg.Client[] = [];
  private readonly sources: DataSource[] = [];

  private constructor(
    readonly url: string,
    readonly schema: string,
    private readonly drop: () => Promise<void>,
  ) {}

  readonly dataSource: DataSource;
  readonly stores: Stores;
  private readonly admin: pg.Pool;

  /** @param options `url` names a database that is there already and stays; default a new one. */
  static async create(
    options: { readonly schema?: string; readonly migrated?: boolean; readonly url?: string } = {},
  ): Promise<TestLedger> {
    const { url } = options;
    const database = url === undefined ? await createDatabase() : { url, drop: () => Promise.resolve() };
    const ledger = new TestLedger(database.url, options.schema ?? 'scheduled_jobs', () => database.drop());
    const dataSource = await ledger.connect();
    if (options.migrated !== false) await migrate(dataSource, { schema: ledger.schema });
    const admin = new pg.Pool({
      connectionString: ledger.url,
      options: `-c search_path="${ledger.schema}",public`,
      max: 4,
    });
    admin.on('error', () => {});
    return Object.assign(ledger, { dataSource, stores: ledger.storesOf(dataSource), admin });
  }

  /** A further data source, as another process has one. */
  async connect(options: PostgresOptions = {}): Promise<DataSource> {
    const dataSource = new DataSource({
      type: 'postgres',
      url: this.url,
      poolSize: 12,
      ...options,
      extra: { options: '-c search_path=', ...(options.extra as object | undefined) },
    });
    this.sources.push(await dataSource.initialize());
    return dataSource;
  }

  storesOf(dataSource: DataSource): Stores {
    return createStores(dataSource, {
      schema: this.schema,
      emit: (event) => this.events.push(event),
      listenUrl: false,
    });
  }

  /** A connection of its own that sees the ledger's tables by their bare names. */
  async client(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => {});
    await client.connect();
    await client.query(`set search_path = "${this.schema}", public`);
    this.clients.push(client);
    return client;
  }

  /** Rows of a statement that looks at, or prepares, what the stores do. */
  async sql<Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.admin.query<Row>(text, values)).rows;
  }

  /** The first row of a statement. */
  async row<Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row> {
    return (await this.sql<Row>(text, values))[0]!;
  }

  /** How many sessions of this database wait for a lock. `pg_locks` would also show what other tests on the server wait for. */
  async lockWaits(kind: 'advisory' | 'transactionid' | null = null): Promise<number> {
    const { n } = await this.row<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and wait_event = coalesce($1, wait_event)`,
      [kind],
    );
    return n;
  }

  async insert(...executions: Partial<NewExecution>[]): Promise<readonly Inserted[]> {
    return this.stores.executions.insert(executions.map(newExecution), { tx: null, now: T0 });
  }

  async claim(options: { worker?: string; take?: number; start?: number; now?: Date; queue?: string } = {}) {
    const { worker = 'w1', take = 1_000, start = take, now = T0, queue = 'default' } = options;
    const [jobs] = await this.sql<{ names: string[] }>(`select coalesce(array_agg(name), '{}') as names from jobs`);
    return this.stores.work.claim({
      workerId: worker,
      quotas: [{ queue, take, start }],
      jobNames: [...jobs!.names, 'any'],
      now,
    });
  }

  /** Somebody takes over what is leased, as if the leases had run out. One transaction: no heartbeat comes in between. */
  async takeOver(): Promise<void> {
    const session = await this.admin.connect();
    try {
      await session.query('begin');
      await session.query(`update work set lease_until = now() - interval '1 second' where lease_until is not null`);
      await session.query(rescueExpiredSql(ledgerNames(this.schema)), [null, 10, 3]);
      await session.query('commit');
    } finally {
      session.release();
    }
  }

  /** Registers jobs by hand, as their processes do at start. */
  async jobs(...jobs: { name: string; concurrency?: number; overlap?: OverlapPolicy }[]): Promise<void> {
    for (const { name, concurrency = 1, overlap = 'queue' } of jobs) {
      await this.sql(`insert into jobs (name, overlap, concurrency) values ($1, $2, $3)`, [name, overlap, concurrency]);
    }
  }

  /** Empties the ledger between two tests, whatever a failed one left open. */
  async reset(): Promise<void> {
    for (const client of this.clients) await client.query('rollback');
    await this.sql(EMPTY_ALL_TABLES);
    this.events.length = 0;
  }

  async close(): Promise<void> {
    for (const source of this.sources) if (source.isInitialized) await source.destroy();
    for (const client of this.clients) await client.end();
    await this.admin.end();
    await this.drop();
  }
}

/** An execution to be inserted, ready at once. */
export const newExecution = (execution: Partial<NewExecution> = {}): NewExecution => ({
  jobName: 'job',
  key: null,
  period: null,
  interval: null,
  scheduledFor: null,
  runAt: null,
  queue: 'default',
  priority: 0,
  payload: null,
  concurrencyKey: null,
  maxAttempts: 4,
  leaseMs: 30_000,
  deadlineMs: 86_400_000,
  trigger: 'enqueue',
  actor: null,
  traceParent: null,
  skip: null,
  ...execution,
});

/** A success of a claimed execution, one second long. */
export const attemptRecord = (
  claimed: Pick<ClaimedExecution, 'executionId' | 'leaseToken'>,
  record: Partial<AttemptRecord> = {},
): AttemptRecord => ({
  executionId: claimed.executionId,
  leaseToken: claimed.leaseToken,
  disposition: 'succeeded',
  outcome: 'succeeded',
  startedAt: T0,
  finishedAt: after(1_000),
  runAt: null,
  reason: null,
  result: null,
  resultNote: null,
  counts: { processed: 0, failed: 0, skipped: 0 },
  error: null,
  ...record,
});

export const storedError = (message = 'boom') => ({
  errorClass: 'TypeError',
  code: 'E_BOOM',
  message,
  stack: `TypeError: ${message}\n    at place`,
  fingerprint: 'f1',
  kind: 'transient' as const,
});

/** Deleting a few rows is ten times as fast as truncating, which makes new files for each table and index. */
const EMPTY_ALL_TABLES = `
  do $$
  declare
    one record;
  begin
    for one in
      select oid::regclass as name, pg_relation_size(oid) > 128 * 1024 as large from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'migrations'
    loop
      execute case when one.large then 'truncate ' else 'delete from ' end || one.name;
    end loop;
  end $$`;
