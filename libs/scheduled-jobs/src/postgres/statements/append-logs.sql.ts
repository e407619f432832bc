import type { LedgerNames } from '../ledger-names.js';
import { givenIds, isLeased } from './work-lookup.js';

/** Lines kept of one attempt; later ones are dropped. */
export const MAX_LOG_LINES = 1_000;
/** Characters kept of one line, and of its fields. */
export const MAX_LOG_LENGTH = 8_192;

/**
 * Keeps log lines of running work; lines handed in twice are kept once.
 *
 * Fenced: id, token and leased, as seen at its start: rows are keyed by token, so a late line can only join its own attempt.
 * Locks: new rows only.
 * Index: work_pk, logs_pk.
 * Params: $1 ids, $2 tokens, $3 line numbers, $4 instants, $5 levels, $6 messages, $7 fields, $8 last line number kept.
 */
export const appendLogsSql = ({ table }: LedgerNames): string => `
insert into ${table.logs} (execution_id, lease_token, line_no, logged_at, level, message, fields)
select g.id, g.token, g.line_no, g.logged_at, g.level, g.message, g.fields::json
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::text[])
  as g(id, token, line_no, logged_at, level, message, fields)
join ${table.work} w on w.execution_id = g.id and w.lease_token = g.token
where w.execution_id = any (${givenIds(1)}) and ${isLeased('w')} and g.line_no <= $8::int
on conflict do nothing`;
