import type { LedgerNames } from '../ledger-names.js';
import { ALERT_COLUMNS } from './alert-columns.js';

/**
 * Lists alerts, newest first. A filter that is null disappears when the statement is planned.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: alerts_pk backwards: closed ones are kept for 90 days.
 * Params: $1 kind, $2 subject, $3 open (null = also closed ones), $4 behind this id, $5 limit.
 */
export const findAlertsSql = ({ table }: LedgerNames): string => `
select ${ALERT_COLUMNS}
from ${table.alerts} a
where ($1::text is null or a.kind = $1)
  and ($2::text is null or a.subject = $2)
  and ($3::boolean is null or (a.closed_at is null) = $3)
  and ($4::bigint is null or a.id < $4)
order by a.id desc
limit $5::int`;
