import type { QueryRunner } from 'typeorm';
import { ledgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** When a process has said that it stopped: until then it counts as alive for as long as it was seen. */
export class AddStopsOfInstances1765324800000 implements LedgerMigration {
  readonly name = 'AddStopsOfInstances1765324800000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`alter table ${table.instances} add column stopped_at timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`alter table ${table.instances} drop column stopped_at`);
  }
}
