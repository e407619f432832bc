import type { LedgerNames } from '../ledger-names.js';

/** Puts the keys of `given` on record, in the order of their hashes; `won` are the executions whose keys were not used before. */
export const wonKeys = ({ table }: LedgerNames): string => `won as (
  insert into ${table.keys} (key_hash, execution_id)
  select key_hash, id
  from given
  where key_hash is not null
  order by key_hash, ord
  on conflict do nothing
  returning execution_id
)`;

/** Leaves those of `given` whose keys were used before. */
export const WHERE_WON = `where key is null or id in (select execution_id from won)`;

/** Sets how long the rest of the transaction waits for a lock, in milliseconds, before anything else; null = as it is. */
export const withLockTimeout = (parameter: number): string => `cross join (
    select case when $${parameter}::int is null then ''
      else set_config('lock_timeout', $${parameter}::int::text, true) end as lock_timeout
  ) bound
  where bound.lock_timeout is not null`;
