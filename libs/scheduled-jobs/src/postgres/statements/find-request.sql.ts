import type { LedgerNames } from '../ledger-names.js';

/** How a request stands. */
export interface RequestRow {
  readonly digest: string;
  /** Null = it is being done. */
  readonly answer: unknown;
}

/**
 * A request that was begun before.
 *
 * Fenced: no.
 * Locks: none.
 * Index: requests_pk.
 * Params: $1 id.
 */
export const findRequestSql = ({ table }: LedgerNames): string => `
select digest, answer from ${table.requests} where id = $1`;
