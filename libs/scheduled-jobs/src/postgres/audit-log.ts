import { InvalidQueryError } from '../core/errors.js';
import { AUDIT_ACTIONS } from '../core/execution/audit-action.js';
import { OptionReader } from '../core/job/option-reader.js';
import type { AuditEntry, AuditLog, AuditQuery } from '../core/ports/audit-log.js';
import type { Page } from '../core/ports/ledger-reader.js';
import type { Database } from './database/database.js';
import { filterDigest } from './ledger/cursor.js';
import { executionName } from './ledger/execution-name.js';
import { idPage, readIdCursor } from './ledger/id-page.js';
import { resolveLimit } from './ledger/execution-query.js';
import { checkWindow, checkTexts } from './ledger/query-checks.js';
import type { LedgerNames } from './ledger-names.js';
import { findAuditSql, type AuditRow } from './statements/find-audit.sql.js';

const FILTERS = ['action', 'job', 'subject', 'execution', 'actor', 'from', 'to'] as const;

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
    const { action, job, subject, actor, from, to } = query;
    const values = [execution.id, execution.key, action, job, actor, from, to, after, limit + 1, subject];
    const rows = await this.database.query<AuditRow>('read the audit', this.sql, values);
    return idPage(rows, { limit, digest, item: auditEntry });
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
  checkTexts(query, ['job', 'subject', 'execution', 'actor', 'action'], problems);
  if (query.action !== undefined && !AUDIT_ACTIONS.includes(query.action)) {
    problems.push(`action must be one of ${AUDIT_ACTIONS.join(', ')}; got ${JSON.stringify(query.action)}.`);
  }
  checkWindow(query, ['from', 'to'], problems);
  const limit = resolveLimit(query.limit, problems);
  const digest = filterDigest(FILTERS.map((name) => query[name] ?? null));
  const after = readIdCursor(query.cursor, digest, problems);
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return { limit, digest, after };
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
