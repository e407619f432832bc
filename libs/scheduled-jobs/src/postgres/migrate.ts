import type { DataSource, QueryRunner } from 'typeorm';
import { SchemaVersionError } from '../core/errors.js';
import { Database } from './database/database.js';
import type { Session } from './database/session.js';
import { advisoryLock, DEFAULT_SCHEMA, ledgerNames, type LedgerNames } from './ledger-names.js';
import { LEDGER_MIGRATIONS, SCHEMA_VERSION } from './migrations/ledger-migrations.js';
import { readSchemaVersion, schemaProblem } from './schema-version.js';
import { createMigrationsTableSql } from './statements/create-migrations-table.sql.js';
import { createSchemaSql } from './statements/create-schema.sql.js';
import { findSchemaSql } from './statements/find-schema.sql.js';
import { keepStatements } from './kept-statements.js';
import { lockUntilCommitSql } from './statements/lock-until-commit.sql.js';
import { readSchemaVersionSql, type SchemaVersionRow } from './statements/read-schema-version.sql.js';
import { recordMigrationSql } from './statements/record-migration.sql.js';

/** What a migration did. */
export interface MigrationReport {
  readonly schema: string;
  /** The schema version before; 0 = there was none. */
  readonly from: number;
  readonly to: number;
  /** The steps done, in order; empty when there was nothing to do. */
  readonly applied: readonly string[];
}

/**
 * Brings the ledger's schema to the version of this package, in one transaction under an advisory lock: any number of
 * processes may call it at once and again. Migrations of the host application are apart from it. `schema` is
 * `scheduled_jobs` by default, as in the module's options.
 * @throws SchemaVersionError when the schema is too new for this package.
 * @throws StoreUnavailableError when the database cannot be reached.
 */
export function migrate(
  dataSource: DataSource,
  { schema = DEFAULT_SCHEMA }: { readonly schema?: string } = {},
): Promise<MigrationReport> {
  const names = ledgerNames(schema);
  // It may wait for another process that migrates, however long that takes.
  return new Database(dataSource, 0).transaction('migrate its schema', async (session, runner) => {
    await waitForTurn(session, names);
    const from = versionBefore(names.schema, await currentVersion(session, names));
    const applied = await applyFrom(from, { session, runner, names });
    if (from <= SCHEMA_VERSION) await keepStatements(session, names);
    return { schema: names.schema, from, to: Math.max(from, SCHEMA_VERSION), applied };
  });
}

/**
 * What `migrate` would do now; nothing is written.
 * @throws SchemaVersionError when the schema is too new for this package; StoreUnavailableError.
 */
export async function previewMigration(
  dataSource: DataSource,
  { schema }: { readonly schema: string },
): Promise<MigrationReport> {
  const found = await readSchemaVersion(dataSource, { schema });
  const from = versionBefore(schema, found);
  const applied = LEDGER_MIGRATIONS.slice(from).map((Migration) => new Migration(schema).name);
  return { schema, from, to: Math.max(from, SCHEMA_VERSION), applied };
}

/** @throws SchemaVersionError when this package is too old for it. */
function versionBefore(schema: string, found: SchemaVersionRow | null): number {
  const from = found?.version ?? 0;
  const problem = from > SCHEMA_VERSION ? schemaProblem(schema, found, SCHEMA_VERSION) : null;
  if (problem !== null) throw new SchemaVersionError(problem);
  return from;
}

async function waitForTurn(session: Session, { schema }: LedgerNames): Promise<void> {
  // Limits that the host set for its own statements must not end a migration half-way or while it waits for another.
  await session.query('set local lock_timeout = 0; set local statement_timeout = 0');
  await session.query(lockUntilCommitSql(), advisoryLock(schema, 'migrate'));
}

async function currentVersion(session: Session, names: LedgerNames): Promise<SchemaVersionRow | null> {
  const [schema] = await session.query<{ found: boolean }>(findSchemaSql(), [names.schema]);
  if (schema?.found !== true) await session.query(createSchemaSql(names));
  await session.query(createMigrationsTableSql(names));
  const [version] = await session.query<SchemaVersionRow>(readSchemaVersionSql(names));
  return version ?? null;
}

async function applyFrom(
  from: number,
  { session, runner, names }: { readonly session: Session; readonly runner: QueryRunner; readonly names: LedgerNames },
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (const [index, Migration] of LEDGER_MIGRATIONS.entries()) {
    if (index < from) continue;
    const migration = new Migration(names.schema);
    await migration.up(runner);
    await session.query(recordMigrationSql(names), [index + 1, migration.name, migration.oldestWorkingVersion]);
    applied.push(migration.name);
  }
  return applied;
}
