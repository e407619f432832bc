import type { DataSource } from 'typeorm';
import { SchemaVersionError } from '../core/errors.js';
import { Database } from './database/database.js';
import { errorCode } from './database/store-errors.js';
import { DEFAULT_SCHEMA, ledgerNames } from './ledger-names.js';
import { SCHEMA_VERSION } from './migrations/ledger-migrations.js';
import { readSchemaVersionSql, type SchemaVersionRow } from './statements/read-schema-version.sql.js';

const UNDEFINED_TABLE = '42P01';

/**
 * Checks that the schema and this package fit.
 * @throws SchemaVersionError that says what to do when the schema is missing, too old or too new.
 * @throws StoreUnavailableError when the database cannot be reached.
 */
export async function checkSchema(dataSource: DataSource, options: { readonly schema: string }): Promise<void> {
  const problem = schemaProblem(options.schema, await readSchemaVersion(dataSource, options), SCHEMA_VERSION);
  if (problem !== null) throw new SchemaVersionError(problem);
}

/** The version of a schema; null = there is no such ledger. @throws StoreUnavailableError */
export async function readSchemaVersion(
  dataSource: DataSource,
  { schema }: { readonly schema: string },
): Promise<SchemaVersionRow | null> {
  const rows = await new Database(dataSource)
    .query<SchemaVersionRow>('check its schema', readSchemaVersionSql(ledgerNames(schema)), [])
    .catch((error: unknown) => {
      if (errorCode(error) === UNDEFINED_TABLE) return [];
      throw error;
    });
  return rows[0] ?? null;
}

/** Why a library that knows `supported` versions cannot work on a schema; null = it can. */
export function schemaProblem(schema: string, found: SchemaVersionRow | null, supported: number): string | null {
  if (found === null) {
    return `The database has no schema "${schema}" of scheduled jobs. ${howToMigrate(schema)}`;
  }
  if (found.version < supported) {
    return `The schema "${schema}" has version ${found.version}, this package needs ${supported}. ${howToMigrate(schema)}`;
  }
  if (found.oldest_working_version > supported) {
    return `The schema "${schema}" has version ${found.version}, made by a newer nestjs-scheduled-jobs; this package knows ${supported} and the schema needs at least ${found.oldest_working_version}. Update the package.`;
  }
  return null;
}

function howToMigrate(schema: string): string {
  const isDefault = schema === DEFAULT_SCHEMA;
  const call = isDefault ? 'migrate(dataSource)' : `migrate(dataSource, { schema: '${schema}' })`;
  const command = `npx nestjs-scheduled-jobs migrate${isDefault ? '' : ` --schema ${schema}`}`;
  return `Run ${call} or the command "${command}", or start with migrations: 'run'.`;
}
