import type { AuditAction } from '../../core/execution/audit-action.js';
import type { LedgerNames } from '../ledger-names.js';
import { executionByIdOrKey } from './find-execution.sql.js';

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly subject: string;
  readonly job_name: string | null;
  readonly execution_id: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly details: unknown;
}

/**
 * Lists what people did by hand, newest first. A filter that is null disappears when the statement is planned.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: audit_execution or audit_job when one is asked for, else audit_pk backwards; keys_pk.
 * Params: $1 id of an execution, $2 or its key (both null = of all), $3 action, $4 job, $5 actor, $6 from, $7 to, $8 behind
 * this id, $9 limit, $10 subject.
 */
export const findAuditSql = (names: LedgerNames): string => `
select
  a.id::text as id, a.at, a.action, a.subject, a.job_name, a.execution_id::text as execution_id, a.actor, a.reason,
  a.details
from ${names.table.audit} a
where (($1::bigint is null and $2::text is null) or a.execution_id = ${executionByIdOrKey(names)})
  and ($3::text is null or a.action = $3)
  and ($4::text is null or a.job_name = $4)
  and ($5::text is null or a.actor = $5)
  and ($6::timestamptz is null or a.at >= $6)
  and ($7::timestamptz is null or a.at < $7)
  and ($8::bigint is null or a.id < $8)
  and ($10::text is null or a.subject = $10)
order by a.id desc
limit $9::int`;
