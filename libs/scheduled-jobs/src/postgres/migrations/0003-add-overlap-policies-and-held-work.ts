import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** What overlap policies decide, and work that is out of the way while nobody may or can run it. */
export class AddOverlapPoliciesAndHeldWork1764460800000 implements LedgerMigration {
  readonly name = 'AddOverlapPoliciesAndHeldWork1764460800000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    const names = ledgerNames(this.schema);
    for (const statements of [overlap, heldWork, handledJobs]) {
      await queryRunner.query(statements(names));
    }
  }

  /** Held work can be claimed again; jobs keep to the policies of before. */
  async down(queryRunner: QueryRunner): Promise<void> {
    const { table, schema } = ledgerNames(this.schema);
    await queryRunner.query(`
      update ${table.work} set phase = 'ready' where phase = 'held';
      update ${table.jobs} set overlap = 'queue' where overlap not in ('queue', 'allow');
      drop index "${schema}".work_elective, "${schema}".work_held;
      alter table ${table.work}
        drop constraint work_phase_check,
        add constraint work_phase_check check (phase in ('leased', 'ready', 'delayed', 'waiting')),
        drop constraint work_slot_check,
        add constraint work_slot_check check (concurrency_key is null or slot is not null or phase not in ('ready', 'leased')),
        drop column elective;
      alter table ${table.outcomes} drop column blocked_by;
      alter table ${table.jobs}
        drop constraint jobs_overlap_check,
        add constraint jobs_overlap_check check (overlap in ('queue', 'allow')),
        drop column handled_at, drop column unhandled_since, reset (fillfactor)`);
  }
}

/** Elective work may be dropped by its job's overlap policy while it waits for a slot. */
const overlap = ({ table }: LedgerNames): string => `
alter table ${table.jobs}
  drop constraint jobs_overlap_check,
  add constraint jobs_overlap_check check (overlap in ('queue', 'queue-latest', 'skip', 'replace', 'allow'));
alter table ${table.work} add column elective boolean not null default false;
create index work_elective on ${table.work} (concurrency_key, job_name, run_at desc, execution_id desc)
  where phase = 'waiting' and elective;
alter table ${table.outcomes} add column blocked_by bigint`;

/** Held work is ready work that nobody may or can claim: it lies in no index that a claim reads. */
const heldWork = ({ table }: LedgerNames): string => `
alter table ${table.work}
  drop constraint work_phase_check,
  add constraint work_phase_check check (phase in ('leased', 'ready', 'delayed', 'waiting', 'held')),
  drop constraint work_slot_check,
  add constraint work_slot_check
    check (concurrency_key is null or slot is not null or phase not in ('ready', 'leased', 'held'));
create index work_held on ${table.work} (job_name, execution_id) where phase = 'held'`;

/**
 * When a worker last said that it handles a job; null = only versions that do not say so have registered it. Heap-only, so
 * no index may touch it.
 */
const handledJobs = ({ table }: LedgerNames): string => `
alter table ${table.jobs}
  set (fillfactor = 70),
  add column handled_at timestamptz,
  add column unhandled_since timestamptz`;
