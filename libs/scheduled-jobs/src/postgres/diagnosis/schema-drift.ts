import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import { errorCode } from '../database/store-errors.js';
import type { Session } from '../database/session.js';
import { keepStatements } from '../kept-statements.js';
import { ledgerNames } from '../ledger-names.js';
import { LEDGER_MIGRATIONS } from '../migrations/ledger-migrations.js';
import { createMigrationsTableSql } from '../statements/create-migrations-table.sql.js';
import { createSchemaSql } from '../statements/create-schema.sql.js';
import { describeSchemaSql, type SchemaLineRow } from '../statements/describe-schema.sql.js';

/** How a schema differs from what the migrations of this package make. */
export interface SchemaDrift {
  /** Lines such as `jobs: column name text not null`. */
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** The role may not create a schema, or the server only reads. */
const NOT_ALLOWED: ReadonlySet<string | null> = new Set(['42501', '25006']);

/** Carries the answer out of the transaction that is rolled back. */
class RolledBack extends Error {
  constructor(readonly drift: SchemaDrift) {
    super('rolled back');
  }
}

/**
 * Compares a schema of this package's version with one that the migrations make anew, in a transaction that is rolled back: so
 * it is compared on the very server, whatever its version says of the same table.
 * @returns Null = the role may not create a schema, so that nothing was compared.
 * @throws StoreUnavailableError when the database cannot be reached.
 */
export async function findSchemaDrift(dataSource: DataSource, schema: string): Promise<SchemaDrift | null> {
  const scratch = ledgerNames(`doctor_${randomBytes(8).toString('hex')}`);
  try {
    await new Database(dataSource).transaction('compare its schema', async (session, runner) => {
      await session.query(createSchemaSql(scratch));
      await session.query(createMigrationsTableSql(scratch));
      for (const Migration of LEDGER_MIGRATIONS) await new Migration(scratch.schema).up(runner);
      await keepStatements(session, scratch);
      throw new RolledBack(difference(await described(session, scratch.schema), await described(session, schema)));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.drift;
    if (NOT_ALLOWED.has(errorCode(error)) || NOT_ALLOWED.has(errorCode((error as Error).cause))) return null;
    throw error;
  }
  return null;
}

async function described(session: Session, schema: string): Promise<ReadonlySet<string>> {
  const rows = await session.query<SchemaLineRow>(describeSchemaSql(), [schema]);
  const lines = rows.map(({ relation, line }) => `${relation}: ${line}`);
  return new Set(lines.map((line) => line.replaceAll(`${schema}.`, '').replaceAll(`"${schema}".`, '')));
}

function difference(expected: ReadonlySet<string>, found: ReadonlySet<string>): SchemaDrift {
  return {
    missing: [...expected].filter((line) => !found.has(line)).toSorted(),
    added: [...found].filter((line) => !expected.has(line)).toSorted(),
  };
}
