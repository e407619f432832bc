import type { LedgerNames } from '../ledger-names.js';

/**
 * Notes that a step is done.
 *
 * Fenced: by the migration lock, which the migrator holds.
 * Locks: a new row.
 * Params: $1 version, $2 name, $3 oldest working version.
 */
export const recordMigrationSql = ({ table }: LedgerNames): string => `
insert into ${table.migrations} (version, name, oldest_working_version, applied_at)
values ($1::int, $2::text, $3::int, now())`;
