import type { LedgerNames } from '../ledger-names.js';

/**
 * Creates the table of the steps done. It is our own, apart from that of the host application's migrations.
 *
 * Fenced: by the migration lock, which the migrator holds.
 * Locks: none that others wait for.
 */
export const createMigrationsTableSql = ({ table }: LedgerNames): string => `
create table if not exists ${table.migrations} (
  version int constraint migrations_pk primary key,
  name text not null,
  oldest_working_version int not null,
  applied_at timestamptz not null
)`;
