import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** The tables of the main path: what was asked for, what is to do, how it ended; schedules; items and logs of runs. */
export class CreateLedger1764288000000 implements LedgerMigration {
  readonly name = 'CreateLedger1764288000000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const names = ledgerNames(this.schema);
    for (const statements of [identity, facts, outcomes, work, workIndexes, attempts, schedules, itemsAndLogs]) {
      await queryRunner.query(statements(names));
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { table, leaseTokens } = ledgerNames(this.schema);
    await queryRunner.query(`
      drop table
        ${table.keys}, ${table.executions}, ${table.outcomes}, ${table.work}, ${table.attempts}, ${table.jobs},
        ${table.schedules}, ${table.schedule_versions}, ${table.skipped_ranges},
        ${table.checkpoints}, ${table.items}, ${table.logs};
      drop sequence ${leaseTokens}`);
  }
}

/**
 * Uniqueness for ever: retention never touches the keys, so a key once used is never used again. One sequence gives the
 * tokens of all claims: each is greater than every earlier one, also across executions.
 */
const identity = ({ table, leaseTokens }: LedgerNames): string => `
create table ${table.keys} (
  key_hash bytea constraint keys_pk primary key
    constraint keys_hash_check check (octet_length(key_hash) = 16),
  execution_id bigint not null
);
create sequence ${leaseTokens} as bigint`;

/**
 * What was asked for: inserted once. The list of a job's periods ascends, though it is read from its end: so each new entry goes
 * behind the last one, and the pages stay full.
 */
const facts = ({ table }: LedgerNames): string => `
create table ${table.executions} (
  id bigint generated always as identity constraint executions_pk primary key,
  key text collate "C" not null,
  job_name text collate "C" not null,
  period text collate "C",
  interval_start timestamptz,
  interval_end timestamptz,
  scheduled_for timestamptz not null,
  queue text collate "C" not null,
  priority smallint not null,
  max_attempts int not null,
  concurrency_key text collate "C",
  payload jsonb,
  trigger text collate "C" not null
    constraint executions_trigger_check check (trigger in ('schedule', 'backfill', 'trigger', 'enqueue')),
  actor text,
  created_at timestamptz not null,
  constraint executions_interval_check check ((interval_start is null) = (interval_end is null))
) with (autovacuum_vacuum_insert_scale_factor = 0.05);
create index executions_browse on ${table.executions} (job_name, scheduled_for, id)`;

/** How it ended: inserted once. */
const outcomes = ({ table }: LedgerNames): string => `
create table ${table.outcomes} (
  execution_id bigint constraint outcomes_pk primary key,
  state text collate "C" not null constraint outcomes_state_check
    check (state in ('succeeded', 'completed_with_errors', 'failed', 'canceled', 'skipped')),
  reason text collate "C",
  attempts int not null default 0,
  lost_leases int not null default 0,
  lease_token bigint not null default 0,
  first_started_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz not null,
  processed bigint,
  failed bigint,
  skipped bigint,
  result jsonb,
  result_note text,
  error_class text,
  error_code text,
  error_fingerprint text,
  constraint outcomes_reason_check check (
    case
      when reason is null then state <> 'skipped'
      when state = 'skipped' then reason in ('overlap', 'superseded', 'excluded', 'dst-gap', 'deadline')
      else state = 'failed' and reason = 'deadline'
    end)
) with (autovacuum_vacuum_insert_scale_factor = 0.05);
create index outcomes_rare on ${table.outcomes} (state, execution_id desc) where state <> 'succeeded';
create index outcomes_fingerprint on ${table.outcomes} (error_fingerprint, execution_id desc)
  where error_fingerprint is not null`;

/** What is to do or being done: the only hot rows. Each change of one is checked: what is true of most comes first. */
const work = ({ table }: LedgerNames): string => `
create table ${table.work} (
  execution_id bigint constraint work_pk primary key,
  job_name text collate "C" not null,
  queue text collate "C" not null,
  priority smallint not null,
  run_at timestamptz not null,
  phase text collate "C" not null
    constraint work_phase_check check (phase in ('leased', 'ready', 'delayed', 'waiting')),
  retrying boolean not null default false,
  attempt int not null default 0,
  max_attempts int not null,
  lease_ms int not null,
  lease_token bigint not null default 0,
  lease_until timestamptz,
  worker_id text,
  started_at timestamptz,
  first_started_at timestamptz,
  lost_leases int not null default 0,
  losses_in_row smallint not null default 0,
  concurrency_key text collate "C",
  slot smallint,
  deadline_at timestamptz,
  cancel_requested_at timestamptz,
  stage text,
  percent real,
  processed bigint,
  failed bigint,
  skipped bigint,
  processed_before bigint,
  failed_before bigint,
  skipped_before bigint,
  constraint work_lease_check check ((phase = 'leased') = (lease_until is not null)),
  constraint work_slot_check check (concurrency_key is null or slot is not null or phase not in ('ready', 'leased'))
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off
)`;

/** No index may touch a column that a heartbeat changes: its update would no longer stay in its page. */
const workIndexes = ({ table }: LedgerNames): string => `
create index work_ready on ${table.work} (queue, priority, run_at, execution_id) where phase = 'ready';
create index work_delayed on ${table.work} (run_at) where phase = 'delayed';
create index work_waiting on ${table.work} (concurrency_key, priority, run_at, execution_id) where phase = 'waiting';
create index work_group on ${table.work} (concurrency_key, job_name) where phase = 'waiting' or slot is not null;
create unique index work_slot on ${table.work} (concurrency_key, slot) where slot is not null;
create index work_leased on ${table.work} (execution_id) where phase = 'leased'`;

/** One row for each call of a handler. */
const attempts = ({ table }: LedgerNames): string => `
create table ${table.attempts} (
  execution_id bigint not null,
  lease_token bigint not null,
  attempt int not null,
  worker_id text,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  outcome text collate "C" not null constraint attempts_outcome_check check (outcome in (
    'succeeded', 'completed_with_errors', 'failed', 'timed_out', 'lost', 'canceled', 'interrupted', 'deferred')),
  error_class text,
  error_code text,
  error_message text,
  error_stack text,
  processed bigint,
  failed bigint,
  skipped bigint,
  constraint attempts_pk primary key (execution_id, lease_token)
) with (autovacuum_vacuum_insert_scale_factor = 0.05)`;

/** Jobs, schedules with their cursors and versions, and what was left out. */
const schedules = ({ table }: LedgerNames): string => `
create table ${table.jobs} (
  name text collate "C" constraint jobs_pk primary key,
  overlap text collate "C" not null constraint jobs_overlap_check check (overlap in ('queue', 'allow')),
  concurrency smallint not null constraint jobs_concurrency_check check (concurrency > 0)
);
create table ${table.schedules} (
  schedule_name text collate "C" constraint schedules_pk primary key,
  job_name text collate "C" not null,
  version int not null,
  cursor_at timestamptz not null,
  next_at timestamptz,
  last_error text,
  failures int not null default 0,
  retry_at timestamptz
) with (fillfactor = 70);
create table ${table.schedule_versions} (
  schedule_name text collate "C" not null,
  version int not null,
  valid_from timestamptz not null,
  expression text not null,
  time_zone text not null,
  shape jsonb not null,
  constraint schedule_versions_pk primary key (schedule_name, version)
);
create table ${table.skipped_ranges} (
  id bigint generated always as identity constraint skipped_ranges_pk primary key,
  job_name text collate "C" not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  occurrences bigint not null,
  reason text collate "C" not null constraint skipped_ranges_reason_check
    check (reason in ('catch-up', 'paused', 'disabled', 'orphaned')),
  created_at timestamptz not null,
  constraint skipped_ranges_order_check check (from_at <= to_at)
);
create index skipped_ranges_browse on ${table.skipped_ranges} (job_name, from_at)`;

/** What runs leave behind on their way. */
const itemsAndLogs = ({ table }: LedgerNames): string => `
create table ${table.checkpoints} (
  execution_id bigint not null,
  items_name text collate "C" not null,
  after_key json,
  done boolean not null,
  failures int not null,
  lease_token bigint not null,
  updated_at timestamptz not null,
  constraint checkpoints_pk primary key (execution_id, items_name)
) with (fillfactor = 70);
create table ${table.items} (
  execution_id bigint not null,
  items_name text collate "C" not null,
  item_key text collate "C" not null,
  lease_token bigint not null,
  failed_at timestamptz not null,
  error_class text not null,
  error_code text,
  error_message text not null,
  error_stack text,
  error_fingerprint text not null,
  constraint items_pk primary key (execution_id, items_name, item_key)
);
create table ${table.logs} (
  execution_id bigint not null,
  lease_token bigint not null,
  line_no int not null,
  logged_at timestamptz not null,
  level text collate "C" not null
    constraint logs_level_check check (level in ('debug', 'info', 'warn', 'error')),
  message text not null,
  fields json,
  constraint logs_pk primary key (execution_id, lease_token, line_no)
)`;
