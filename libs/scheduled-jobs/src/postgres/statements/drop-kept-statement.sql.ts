import type { LedgerNames } from '../ledger-names.js';

/**
 * Drops the function of a statement that this version does not send. Processes of another version that call it go on without.
 *
 * Fenced: by the migration lock, which the migrator holds.
 * Locks: none that others wait for.
 */
export const dropKeptStatementSql = ({ schema }: LedgerNames, name: string): string =>
  `drop function "${schema}".${name}`;
