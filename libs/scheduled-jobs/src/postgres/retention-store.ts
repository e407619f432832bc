import type { PruneRequest, PruneStep, RetentionPreview, RetentionStore } from '../core/ports/retention-store.js';
import type { Database } from './database/database.js';
import type { LedgerNames } from './ledger-names.js';
import { countPrunableSql, type PrunableRow } from './statements/count-prunable.sql.js';
import { findRetainedJobsSql, type RetainedJobRow } from './statements/find-retained-jobs.sql.js';
import { pruneExecutionsSql, type PrunedRow } from './statements/prune-executions.sql.js';

/** Removes ended executions that are old enough; each step is one statement in a transaction of its own. */
export class PostgresRetentionStore implements RetentionStore, RetentionPreview {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = { jobs: findRetainedJobsSql(names), prune: pruneExecutionsSql(names), count: countPrunableSql(names) };
  }

  async jobNames(): Promise<readonly string[]> {
    const rows = await this.database.query<RetainedJobRow>('find jobs with a retention', this.sql.jobs, []);
    return rows.map(({ name }) => name);
  }

  async prune({ jobName, after, limit, now }: PruneRequest): Promise<PruneStep> {
    const position = [after?.scheduledFor ?? null, after?.executionId ?? null];
    const [row] = await this.database.query<PrunedRow>('remove old executions', this.sql.prune, [
      jobName,
      ...position,
      limit,
      now,
    ]);
    const { removed = 0, walked = 0, scheduled_for: scheduledFor = null, id: executionId = null } = row ?? {};
    if (walked < limit || scheduledFor === null || executionId === null) return { removed, next: null };
    return { removed, next: { scheduledFor, executionId } };
  }

  async countPrunable(jobName: string, atMost: number, now: Date | null): Promise<number> {
    const values = [jobName, atMost, now];
    const [row] = await this.database.query<PrunableRow>('count old executions', this.sql.count, values);
    return row?.count ?? 0;
  }
}
