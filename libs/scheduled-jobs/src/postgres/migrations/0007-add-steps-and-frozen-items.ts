import type { QueryRunner } from 'typeorm';
import { ledgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** What runs remember beside their checkpoints: finished steps, and the keys of sets of items that do not change any more. */
export class AddStepsAndFrozenItems1764806400000 implements LedgerMigration {
  readonly name = 'AddStepsAndFrozenItems1764806400000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      create table ${table.steps} (
        execution_id bigint not null,
        step_name text collate "C" not null,
        lease_token bigint not null,
        started_at timestamptz not null,
        finished_at timestamptz not null,
        result json,
        constraint steps_pk primary key (execution_id, step_name)
      );
      create table ${table.frozen_items} (
        execution_id bigint not null,
        items_name text collate "C" not null,
        position int not null,
        item_key text collate "C" not null,
        is_number boolean not null,
        constraint frozen_items_pk primary key (execution_id, items_name, position)
      );
      alter table ${table.items} add column is_number boolean not null default false;
      alter table ${table.checkpoints}
        add column frozen text collate "C"
          constraint checkpoints_frozen_check check (frozen in ('storing', 'stored'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      drop table ${table.steps}, ${table.frozen_items};
      alter table ${table.items} drop column is_number;
      alter table ${table.checkpoints} drop column frozen`);
  }
}
