import type { LedgerNames } from '../ledger-names.js';
import { keyHash } from './key-hash.js';

/**
 * The executions `used` that have the keys $1, one row a key: `ord` counts them from 1, `execution_id` is null where a key was
 * never used. Index keys_pk, once per key: a scalar subquery is never turned into a join or a hash of a whole table.
 */
export const usedKeys = ({ table }: LedgerNames): string => `(
  select
    g.ord,
    (select k.execution_id from ${table.keys} k where k.key_hash = ${keyHash('g.key')}) as execution_id
  from unnest($1::text[]) with ordinality as g(key, ord)
  offset 0
) used`;
