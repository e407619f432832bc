import type { LedgerNames } from '../ledger-names.js';

/**
 * Takes the statistics of the work anew. After a burst the planner believes for up to a minute, until autovacuum comes, that
 * next to nothing is ready, and sorts all of it for each claim.
 *
 * Fenced: no, it writes no row of ours.
 * Locks: the table against other maintenance and changes of its shape; no reader and no writer waits.
 * Index: none. A role that does not own the table is told so by a warning, and nothing happens.
 */
export const analyzeWorkSql = ({ table }: LedgerNames): string => `analyze ${table.work}`;
