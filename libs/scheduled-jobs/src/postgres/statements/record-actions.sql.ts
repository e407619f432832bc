import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Adds entries to the audit, in the transaction of what they tell of.
 *
 * Fenced: no, it belongs to the caller's transaction.
 * Locks: new rows of audit.
 * Params: $1 actions, $2 subjects, $3 jobs, $4 execution ids, $5 actors, $6 reasons, $7 details as JSON, $8 now.
 */
export const recordActionsSql = ({ table }: LedgerNames): string => `
insert into ${table.audit} (at, action, subject, job_name, execution_id, actor, reason, details)
select ${boundNow(8)}, g.action, g.subject, g.job_name, g.execution_id, g.actor, g.reason, g.details::json
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])
  with ordinality as g(action, subject, job_name, execution_id, actor, reason, details, ord)
order by g.ord`;
