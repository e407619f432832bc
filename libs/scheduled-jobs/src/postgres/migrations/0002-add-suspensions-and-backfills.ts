import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** What schedules go through: pauses and orphanhood, changed and renamed definitions, backfills, retention, named leases. */
export class AddSuspensionsAndBackfills1764374400000 implements LedgerMigration {
  readonly name = 'AddSuspensionsAndBackfills1764374400000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const names = ledgerNames(this.schema);
    for (const statements of [definitions, suspensions, backfills, leases]) {
      await queryRunner.query(statements(names));
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table } = ledgerNames(this.schema);
    await queryRunner.query(`
      drop table ${table.suspensions}, ${table.backfills}, ${table.leases};
      alter table ${table.executions} drop column backfill_id;
      alter table ${table.jobs} drop column retention;
      alter table ${table.schedules} drop column release, drop column renamed_to, drop column earlier_names;
      alter table ${table.schedule_versions} drop column carried_at, drop column zone_data, reset (fillfactor);
      alter table ${table.skipped_ranges} drop column actor`);
  }
}

/**
 * What is known of definitions beside their text. `carried_at` is refreshed by every instance whose code equals the
 * version: heap-only, so no index may touch it.
 */
const definitions = ({ table }: LedgerNames): string => `
alter table ${table.jobs} add column retention jsonb not null default '{}';
alter table ${table.schedules}
  add column release bigint,
  add column renamed_to text collate "C",
  add column earlier_names text[] not null default '{}';
alter table ${table.schedule_versions}
  set (fillfactor = 70),
  add column carried_at timestamptz,
  add column zone_data text`;

/** Stretches in which a schedule stands still. The open one of a kind has no end yet. */
const suspensions = ({ table }: LedgerNames): string => `
create table ${table.suspensions} (
  id bigint generated always as identity constraint suspensions_pk primary key,
  job_name text collate "C" not null,
  kind text collate "C" not null constraint suspensions_kind_check check (kind in ('paused', 'orphaned')),
  from_at timestamptz not null,
  to_at timestamptz,
  catch_up boolean not null default false,
  actor text,
  reason text,
  ended_by text,
  end_reason text,
  constraint suspensions_order_check check (from_at <= to_at)
);
create unique index suspensions_open on ${table.suspensions} (job_name, kind) where to_at is null;
create index suspensions_browse on ${table.suspensions} (job_name, from_at);
alter table ${table.skipped_ranges} add column actor text`;

/** Ranges of the past that somebody asked for; their executions name them. */
const backfills = ({ table }: LedgerNames): string => `
create table ${table.backfills} (
  id bigint generated always as identity constraint backfills_pk primary key,
  job_name text collate "C" not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  direction text collate "C" not null
    constraint backfills_direction_check check (direction in ('oldest-first', 'newest-first')),
  occurrences int not null,
  inserted int not null,
  existing int not null,
  pruned int not null,
  actor text,
  reason text,
  created_at timestamptz not null,
  canceled_at timestamptz,
  canceled_by text,
  cancel_reason text,
  constraint backfills_order_check check (from_at <= to_at)
);
create index backfills_browse on ${table.backfills} (job_name, id);
alter table ${table.executions} add column backfill_id bigint;
create index executions_backfill on ${table.executions} (backfill_id, id) where backfill_id is not null`;

/** Named leases of critical sections. A free name has no row, or one whose time is over. */
const leases = ({ table }: LedgerNames): string => `
create table ${table.leases} (
  name text collate "C" constraint leases_pk primary key,
  lease_token bigint not null,
  holder text not null,
  acquired_at timestamptz not null,
  lease_until timestamptz not null
) with (fillfactor = 70)`;
