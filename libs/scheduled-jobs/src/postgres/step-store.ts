import type { EntityManager } from 'typeorm';
import { LeaseLostError } from '../core/errors.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import type { StepRecord, StepStore } from '../core/ports/step-store.js';
import type { Database } from './database/database.js';
import { sessionWithin } from './database/session-within.js';
import type { LedgerNames } from './ledger-names.js';
import { findStepsSql, type StepResultRow } from './statements/find-steps.sql.js';
import { recordStepSql } from './statements/record-step.sql.js';

/** The steps of executions. */
export class PostgresStepStore implements StepStore<EntityManager> {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      find: findStepsSql(names),
      record: recordStepSql(names, 'here'),
      recordWithin: recordStepSql(names, 'follows'),
    };
  }

  async find(executionId: string): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.database.query<StepResultRow>('read steps', this.sql.find, [executionId]);
    return new Map(rows.map(({ step_name: name, result }) => [name, result]));
  }

  async record(lease: Lease & { readonly key: string }, step: StepRecord, tx: EntityManager | null): Promise<void> {
    const { stepName, startedAt, finishedAt, result } = step;
    const values = [lease.executionId, lease.leaseToken, stepName, startedAt, finishedAt, result];
    const recorded =
      tx === null
        ? await this.database.query('record a step', this.sql.record, values)
        : await (await sessionWithin(tx)).query(this.sql.recordWithin, values);
    if (recorded.length === 0) throw new LeaseLostError(lease.key, lease.leaseToken);
  }
}
