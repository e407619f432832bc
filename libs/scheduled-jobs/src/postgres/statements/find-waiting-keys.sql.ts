import type { LedgerNames } from '../ledger-names.js';

export interface WaitingKeyRow {
  readonly concurrency_key: string;
}

/**
 * Finds the concurrency keys for whose slots work waits, at most 1,000.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: work_waiting.
 */
export const findWaitingKeysSql = ({ table }: LedgerNames): string => `
select distinct concurrency_key
from ${table.work}
where phase = 'waiting'
limit 1000`;
