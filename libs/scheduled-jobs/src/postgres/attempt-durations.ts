import type { AttemptDurations } from '../core/job/overlap-risk.js';
import { Database } from './database/database.js';
import { ledgerNames } from './ledger-names.js';
import { ownDataSource } from './own-data-source.js';
import { checkSchema } from './schema-version.js';
import { findAttemptDurationsSql, type AttemptDurationsRow } from './statements/find-attempt-durations.sql.js';

const ACTION = 'read durations of attempts';
const ATTEMPTS_PER_JOB = 200;

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
  const dataSource = await ownDataSource(url, ACTION);
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
