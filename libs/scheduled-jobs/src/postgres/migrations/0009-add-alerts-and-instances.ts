import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** Who lives, and what somebody should know of. */
export class AddAlertsAndInstances1764979200000 implements LedgerMigration {
  readonly name = 'AddAlertsAndInstances1764979200000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const names = ledgerNames(this.schema);
    for (const statements of [alerts, instances]) await queryRunner.query(statements(names));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table, schema } = ledgerNames(this.schema);
    await queryRunner.query(`
      drop table ${table.alerts}, ${table.alert_watches}, ${table.instances};
      drop index "${schema}".outcomes_failed;
      alter table ${table.jobs} drop column alert`);
  }
}

/**
 * A fact is raised once: what has happened by its fact, a level by its open alert. A watch says up to when facts were
 * judged, and its lock who judges. Only failures are in the index of outcomes: other ends cost nothing.
 */
const alerts = ({ table }: LedgerNames): string => `
alter table ${table.jobs} add column alert jsonb not null default '{}';
create index outcomes_failed on ${table.outcomes} (finished_at, execution_id) where state = 'failed';
create table ${table.alerts} (
  id bigint generated always as identity constraint alerts_pk primary key,
  kind text collate "C" not null constraint alerts_kind_check
    check (kind in ('failure', 'missed-period', 'dead-letter-ratio', 'backlog-age')),
  subject text collate "C" not null,
  fact text collate "C",
  execution_id bigint,
  runbook text,
  detail json not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  announce_at timestamptz
);
create unique index alerts_fact on ${table.alerts} (kind, fact) where fact is not null;
create unique index alerts_open on ${table.alerts} (kind, subject) where closed_at is null;
create index alerts_unannounced on ${table.alerts} (id) where announce_at is not null;
create table ${table.alert_watches} (
  kind text collate "C" not null,
  subject text collate "C" not null,
  watched_until timestamptz not null,
  constraint alert_watches_pk primary key (kind, subject)
) with (fillfactor = 70)`;

/** One row per process, refreshed twice a minute: heap-only, so no index may touch what changes. */
const instances = ({ table }: LedgerNames): string => `
create table ${table.instances} (
  id text collate "C" constraint instances_pk primary key,
  roles text[] not null,
  worker_id text,
  version text not null,
  definitions_digest text not null,
  zone_data text,
  started_at timestamptz not null,
  seen_at timestamptz not null
) with (fillfactor = 70)`;
