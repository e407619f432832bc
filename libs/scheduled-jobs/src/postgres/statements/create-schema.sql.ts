import type { LedgerNames } from '../ledger-names.js';

/**
 * Creates the ledger's schema.
 *
 * Fenced: by the migration lock, which the migrator holds.
 * Locks: none that others wait for.
 */
export const createSchemaSql = ({ schema }: LedgerNames): string => `create schema if not exists "${schema}"`;
