import type { NewAuditEntry } from '../core/ports/audit-log.js';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { recordActionsSql } from './statements/record-actions.sql.js';

/** Writes to the audit, in the transaction of what is done. */
export class AuditWriter {
  private readonly sql: string;

  constructor(names: LedgerNames) {
    this.sql = recordActionsSql(names);
  }

  async record(session: Session, entries: readonly NewAuditEntry[], now: Date | null): Promise<void> {
    if (entries.length === 0) return;
    await session.query(this.sql, [
      entries.map(({ action }) => action),
      entries.map(({ subject }) => subject),
      entries.map(({ jobName }) => jobName),
      entries.map(({ executionId }) => executionId),
      entries.map(({ actor }) => actor),
      entries.map(({ reason }) => reason),
      entries.map(({ details }) => (details === null ? null : JSON.stringify(details))),
      now,
    ]);
  }
}
