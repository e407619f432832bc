import type { AuditAction } from '../execution/audit-action.js';
import type { Page } from './ledger-reader.js';

/** What somebody did by hand. */
export interface AuditEntry {
  readonly auditId: string;
  readonly at: Date;
  readonly action: AuditAction;
  /** To what: the key of an execution, the name of a job or queue, the id of a backfill, or a filter as JSON. */
  readonly subject: string;
  readonly jobName: string | null;
  readonly executionId: string | null;
  /** Null = nobody in particular. */
  readonly actor: string | null;
  readonly reason: string | null;
  /** Depends on the action; secrets are left out. */
  readonly details: unknown;
}

/** Which entries to list. Members left out do not filter. */
export interface AuditQuery {
  readonly action?: AuditAction;
  readonly job?: string;
  /** To what, as an entry says it. */
  readonly subject?: string;
  /** The key or the id of an execution. */
  readonly execution?: string;
  readonly actor?: string;
  /** At or after this instant. */
  readonly from?: Date;
  /** Before this instant. */
  readonly to?: Date;
  /** 1 … 200, default 50. */
  readonly limit?: number;
  /** The `nextCursor` of a page with the same filter. */
  readonly cursor?: string;
}

/** An entry about to be written. */
export type NewAuditEntry = Omit<AuditEntry, 'auditId' | 'at'>;

/** Who did what by hand, and why. Each entry is written in the transaction of what it tells of. */
export interface AuditLog {
  /**
   * Newest first.
   * @throws InvalidQueryError when a filter, the limit or the cursor cannot work.
   */
  find(query: AuditQuery): Promise<Page<AuditEntry>>;
}
