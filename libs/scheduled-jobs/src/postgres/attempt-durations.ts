import { DataSource } from 'typeorm';
import type { AttemptDurations } from '../core/job/overlap-risk.js';
import { Database } from './database/database.js';
import { storeError } from './database/store-errors.js';
import { ledgerNames } from './ledger-names.js';
import { checkSchema } from './schema-version.js';
import { findAttemptDurationsSql, type AttemptDurationsRow } from './statements/find-attempt-durations.sql.js';

const ACTION = 'read durations of attempts';
const ATTEMPTS_PER_JOB = 200;
const CONNECT_MS = 10_000;

/** Where a ledger is. */
export interface LedgerAddress {
  readonly url: string;
  readonly schema: string;
}

/**
 * How long the newest 200 ended attempts of each job took, over a connection of its own; jobs without any are missing.
 * @throws StoreUnavailableError when the database cannot be reached; SchemaVersionError when it holds no such ledger.
 */
export async function readAttemptDurations(
  { url, schema }: LedgerAddress,
  jobNames: readonly string[],
): Promise<readonly AttemptDurations[]> {
  const names = ledgerNames(schema);
  const dataSource = await connect(url);
  try {
    await checkSchema(dataSource, { schema });
    const rows = await new Database(dataSource).query<AttemptDurationsRow>(ACTION, findAttemptDurationsSql(names), [
      jobNames,
      ATTEMPTS_PER_JOB,
    ]);
    return rows.map(({ job_name: jobName, attempts, p95_ms: p95Ms }) => ({ jobName, attempts, p95Ms }));
  } finally {
    await dataSource.destroy();
  }
}

async function connect(url: string): Promise<DataSource> {
  try {
    return await new DataSource({ type: 'postgres', url, poolSize: 1, connectTimeoutMS: CONNECT_MS }).initialize();
  } catch (error) {
    throw storeError(error, ACTION);
  }
}
