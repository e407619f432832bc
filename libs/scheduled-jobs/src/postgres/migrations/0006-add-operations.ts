import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** What people do by hand: acknowledged dead letters, replays, and the audit of who did what and why. */
export class AddOperations1764720000000 implements LedgerMigration {
  readonly name = 'AddOperations1764720000000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const names = ledgerNames(this.schema);
    for (const statements of [deadLetters, replays, audit]) await queryRunner.query(statements(names));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      drop table ${table.audit};
      alter table ${table.jobs} drop column lease_ms, drop column deadline_ms;
      alter table ${table.outcomes} drop column acknowledged_at, drop column acknowledged_by`);
  }
}

/** A dead letter is a failure that nobody has acknowledged. */
const deadLetters = ({ table }: LedgerNames): string => `
alter table ${table.outcomes}
  add column acknowledged_at timestamptz,
  add column acknowledged_by text;
create index outcomes_dead on ${table.outcomes} (execution_id desc) where state = 'failed' and acknowledged_at is null`;

/** What the work of a replayed execution needs and its facts do not hold; the next start of the job writes the real ones. */
const replays = ({ table }: LedgerNames): string => `
alter table ${table.jobs}
  add column lease_ms int not null default 30000,
  add column deadline_ms bigint not null default 86400000`;

/** Inserted with what it tells of, and never changed. */
const audit = ({ table }: LedgerNames): string => `
create table ${table.audit} (
  id bigint generated always as identity constraint audit_pk primary key,
  at timestamptz not null,
  action text collate "C" not null constraint audit_action_check check (action in (
    'cancel', 'replay', 'replay-many', 'acknowledge', 'trigger', 'pause', 'resume', 'pause-queue', 'resume-queue',
    'backfill', 'cancel-backfill')),
  subject text collate "C" not null,
  job_name text collate "C",
  execution_id bigint,
  actor text,
  reason text,
  details json
) with (autovacuum_vacuum_insert_scale_factor = 0.05);
create index audit_execution on ${table.audit} (execution_id, id) where execution_id is not null;
create index audit_job on ${table.audit} (job_name, id) where job_name is not null`;
