import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import { inspectTablesSql, type TableRow } from '../statements/inspect-tables.sql.js';

/** The rows of a table, as the server's statistics count them. */
export interface TableFacts {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  readonly bytes: number;
  /** Null = never. */
  readonly vacuumedAt: Date | null;
}

/** The tables of a schema. @throws StoreUnavailableError */
export async function readTables(dataSource: DataSource, schema: string): Promise<readonly TableFacts[]> {
  const rows = await new Database(dataSource).query<TableRow>('look at its tables', inspectTablesSql(), [schema]);
  return rows.map(({ vacuumed_at: vacuumedAt, ...row }) => ({ ...row, vacuumedAt }));
}
