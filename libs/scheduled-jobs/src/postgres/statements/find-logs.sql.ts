import type { LogLine } from '../../core/ports/work-store.js';
import type { LedgerNames } from '../ledger-names.js';

export interface LogRow {
  readonly lease_token: string;
  readonly line_no: number;
  readonly logged_at: Date;
  readonly level: LogLine['level'];
  readonly message: string;
  readonly fields: unknown;
}

/**
 * Lists the log lines of an execution in the order they were written.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: logs_pk.
 * Params: $1 execution id, $2 behind this lease token (null = from the start), $3 and this line, $4 limit.
 */
export const findLogsSql = ({ table }: LedgerNames): string => `
select l.lease_token::text as lease_token, line_no, logged_at, level, message, fields
from ${table.logs} l
where execution_id = $1::bigint and (lease_token, line_no) > (coalesce($2::bigint, -1), coalesce($3::int, -1))
order by l.lease_token, line_no
limit $4::int`;
