import type { LedgerNames } from '../ledger-names.js';
import { keyHash } from './key-hash.js';

export interface UsedKeyRow {
  readonly key: string;
  readonly id: string;
}

/**
 * Finds the executions that used these keys, pruned or not.
 *
 * Fenced: no, it only reads. Its own statement: the one whose insert met the key does not see a row committed meanwhile.
 * Locks: none.
 * Index: keys_pk.
 * Params: $1 keys.
 */
export const findUsedKeysSql = ({ table }: LedgerNames): string => `
select g.key, k.execution_id::text as id
from unnest($1::text[]) as g(key)
join ${table.keys} k on k.key_hash = ${keyHash('g.key')}`;
