import type { QueryRunner } from 'typeorm';
import { ledgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

const KINDS = `('transient', 'throttled', 'permanent')`;

/** What the error of an attempt says about another one. */
export class AddErrorKinds1764547200000 implements LedgerMigration {
  readonly name = 'AddErrorKinds1764547200000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      alter table ${table.attempts} add column error_kind text collate "C"
        constraint attempts_error_kind_check check (error_kind in ${KINDS});
      alter table ${table.outcomes} add column error_kind text collate "C"
        constraint outcomes_error_kind_check check (error_kind in ${KINDS})`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      alter table ${table.attempts} drop column error_kind;
      alter table ${table.outcomes} drop column error_kind`);
  }
}
