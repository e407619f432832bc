import { InvalidQueryError } from '../core/errors.js';
import { AUDIT_ACTIONS } from '../core/execution/audit-action.js';
import { OptionReader } from '../core/job/option-reader.js';
import type { AuditEntry, AuditLog, AuditQuery } from '../core/ports/audit-log.js';
import type { Page } from '../core/ports/ledger-reader.js';
import type { Database } from './database/database.js';
import { decodeCursor, encodeCursor, filterDigest, isId } from './ledger/cursor.js';
import { executionName } from './ledger/execution-name.js';
import { resolveLimit } from './ledger/execution-query.js';
import { checkInstants, checkTexts } from './ledger/query-checks.js';
import type { LedgerNames } from './ledger-names.js';
import { findAuditSql, type AuditRow } from './statements/find-audit.sql.js';

const FILTERS = ['action', 'job', 'execution', 'actor', 'from', 'to'] as const;

/** Reads who did what by hand. */
export class PostgresAuditLog implements AuditLog {
  private readonly sql: string;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = findAuditSql(names);
  }

  async find(query: AuditQuery): Promise<Page<AuditEntry>> {
    const { limit, digest, after } = resolveAuditQuery(query);
    const execution = query.execution === undefined ? { id: null, key: null } : executionName(query.execution);
    if (execution === null) return { items: [], nextCursor: null };
    const { action, job, actor, from, to } = query;
    const values = [execution.id, execution.key, action, job, actor, from, to, after, limit + 1];
    const rows = await this.database.query<AuditRow>('read the audit', this.sql, values);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(auditEntry),
      nextCursor: last === undefined ? null : encodeCursor(digest, [last.id]),
    };
  }
}

/** @throws InvalidQueryError with every problem found. */
function resolveAuditQuery(query: AuditQuery): {
  readonly limit: number;
  readonly digest: string;
  readonly after: string | null;
} {
  const problems: string[] = [];
  new OptionReader(query, '', problems).allowOnly([...FILTERS, 'limit', 'cursor']);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  checkTexts(query, ['job', 'execution', 'actor', 'action'], problems);
  if (query.action !== undefined && !AUDIT_ACTIONS.includes(query.action)) {
    problems.push(`action must be one of ${AUDIT_ACTIONS.join(', ')}; got ${JSON.stringify(query.action)}.`);
  }
  checkInstants(query, ['from', 'to'], problems);
  const limit = resolveLimit(query.limit, problems);
  const digest = filterDigest(FILTERS.map((name) => query[name] ?? null));
  const [after, ...rest] = typeof query.cursor === 'string' ? (decodeCursor(query.cursor, digest) ?? ['']) : [];
  if ((query.cursor !== undefined && after === undefined) || (after !== undefined && !isId(after)) || rest.length > 0) {
    problems.push('cursor is not one of a page with the same filter. Start again without it.');
  }
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return { limit, digest, after: after ?? null };
}

const auditEntry = (row: AuditRow): AuditEntry => ({
  auditId: row.id,
  at: row.at,
  action: row.action,
  subject: row.subject,
  jobName: row.job_name,
  executionId: row.execution_id,
  actor: row.actor,
  reason: row.reason,
  details: row.details,
});
