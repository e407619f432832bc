import type { QueryRunner } from 'typeorm';
import { ledgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/**
 * Executions of all jobs by their nominal time. It keeps two instants for every 128 pages: an insert hardly notices it, and
 * a search in a window reads little more than the window, because executions are mostly made in the order of their times.
 */
export class AddBrowsing1765065600000 implements LedgerMigration {
  readonly name = 'AddBrowsing1765065600000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      create index executions_scheduled on ${table.executions} using brin (scheduled_for) with (autosummarize = on)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop index "${this.schema}".executions_scheduled`);
  }
}
