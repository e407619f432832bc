import { LEDGER_TABLES, type LedgerNames } from '../ledger-names.js';

/**
 * Empties the whole ledger but for the record of its migrations: for tests. By delete, which is much faster than truncate
 * where little is stored.
 *
 * Fenced: no.
 * Locks: all rows; nothing else may use the ledger.
 * Index: none.
 */
export const clearLedgerSql = ({ table }: LedgerNames): string => {
  const emptied = LEDGER_TABLES.filter((name) => name !== 'migrations');
  const deletions = emptied.map((name) => `${name} as (delete from ${table[name]})`);
  return `with ${deletions.join(', ')} select 1`;
};
