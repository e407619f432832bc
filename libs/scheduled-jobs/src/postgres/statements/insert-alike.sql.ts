import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { keyHash } from './key-hash.js';
import { WHERE_WON, withLockTimeout, wonKeys } from './won-keys.js';

/** The new executions: their positions in the input, from 1, and their ids, in the same order, joined by commas. */
export interface InsertedAlikeRow {
  /** Null = all were inserted. */
  readonly ords: string | null;
  readonly ids: string | null;
}

const NOW = boundNow(11);

/**
 * Inserts executions that differ in nothing but key, payload and time, the usual case: half the planning of the ordinary
 * insert, and less work a row. They have no concurrency key, period or interval and are not born skipped. No plan of it
 * depends on values or statistics.
 *
 * Fenced: no, it is the caller's own fact.
 * Locks: keys in the order of their hashes, then new rows.
 * Index: keys_pk.
 * Params: $1 job, $2 queue, $3 priority, $4 attempts allowed, $5 lease ms, $6 deadline ms, $7 trigger, $8 actor, $9 payloads as
 * one JSON list (null in it = none), $10 nominal times (null = now), $11 now, $12 channel to send a hint on (null = none), $13 trace
 * parent; when `keyed` $14 keys as one JSON list (null in it = no deduplication), $15 lock timeout for the rest of the transaction, ms
 * (null = as it is).
 */
export const insertAlikeSql = (names: LedgerNames, { keyed }: { readonly keyed: boolean }): string =>
  keyed ? keyedText(names) : insertText(names, 'given', "$1::text || ':id:' || id");

const keyedText = (names: LedgerNames): string =>
  insertText(names, 'accepted', "coalesce(key, $1::text || ':id:' || id)", {
    columns: `, u.ord, u.key, case when u.key is not null then ${keyHash('u.key')} end as key_hash`,
    lists: ', jsonb_array_elements_text($14::jsonb)',
    ordinality: 'with ordinality ',
    names: ', key, ord',
    bound: `
  ${withLockTimeout(15)}`,
    terms: `
${wonKeys(names)},
accepted as materialized (
  select id, ord, key, payload, run_at
  from given
  ${WHERE_WON}
),`,
    ords: `array_to_string(array_agg(ord), ',')`,
  });

const UNKEYED = { columns: '', lists: '', ordinality: '', names: '', bound: '', terms: '', ords: 'null' };

const insertText = (
  { table, executionIds }: LedgerNames,
  source: string,
  key: string,
  keyed: typeof UNKEYED = UNKEYED,
): string => `
with given as materialized (
  select
    nextval('${executionIds}') as id, nullif(u.payload, 'null') as payload,
    coalesce(u.scheduled_for, date_trunc('milliseconds', ${NOW})) as run_at${keyed.columns}
  from rows from (
    jsonb_array_elements($9::jsonb), unnest($10::timestamptz[])${keyed.lists}
  ) ${keyed.ordinality}as u(payload, scheduled_for${keyed.names})${keyed.bound}
),${keyed.terms}
fact as (
  insert into ${table.executions} (
    id, key, job_name, scheduled_for, queue, priority, max_attempts, payload, trigger, actor, created_at,
    trace_parent)
  overriding system value
  select id, ${key}, $1::text, run_at, $2::text, $3::smallint, $4::int, payload, $7::text, $8::text, ${NOW},
    $13::text
  from ${source}
),
job as (
  insert into ${table.work} (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms, deadline_at)
  select
    id, $1::text, $2::text, $3::smallint, run_at, case when run_at > ${NOW} then 'delayed' else 'ready' end,
    $4::int, $5::int, greatest(run_at, ${NOW}) + $6::bigint * interval '1 millisecond'
  from ${source}
)
select
  ${keyed.ords} as ords, array_to_string(array_agg(id), ',') as ids,
  case when $12::text is not null and count(*) > 0 then pg_notify($12, '')::text end as hint
from ${source}`;
