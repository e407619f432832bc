import type { QueryRunner } from 'typeorm';
import { ledgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** Which span asked for an execution: nothing but ids, and null unless somebody traces. */
export class AddTraceParents1765238400000 implements LedgerMigration {
  readonly name = 'AddTraceParents1765238400000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`alter table ${table.executions} add column trace_parent text collate "C"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`alter table ${table.executions} drop column trace_parent`);
  }
}
