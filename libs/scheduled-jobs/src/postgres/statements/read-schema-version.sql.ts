import type { LedgerNames } from '../ledger-names.js';

export interface SchemaVersionRow {
  readonly version: number;
  /** The oldest version whose library works on this schema. */
  readonly oldest_working_version: number;
}

/**
 * Reads the version of the schema; no row when no step is done.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 */
export const readSchemaVersionSql = ({ table }: LedgerNames): string => `
select max(version) as version, max(oldest_working_version) as oldest_working_version
from ${table.migrations}
having count(*) > 0`;
