import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** Limits, pauses and circuit breakers of queues. */
export class AddQueues1764633600000 implements LedgerMigration {
  readonly name = 'AddQueues1764633600000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(queues(ledgerNames(this.schema)));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${ledgerNames(this.schema).table.queues}`);
  }
}

/**
 * Only queues that have a limit or were paused once have a row. Its lock serialises the claims of the queue; whoever reads
 * without it learns what was true a moment ago.
 */
const queues = ({ table }: LedgerNames): string => `
create table ${table.queues} (
  name text collate "C" constraint queues_pk primary key,
  concurrency int constraint queues_concurrency_check check (concurrency > 0),
  rate int constraint queues_rate_check check (rate > 0),
  rate_ms int,
  burst int,
  tokens float8,
  refilled_at timestamptz,
  paused_at timestamptz,
  paused_by text,
  pause_reason text,
  breaker jsonb,
  tally jsonb,
  open_until timestamptz,
  openings int not null default 0,
  opened_token bigint,
  probes_passed int not null default 0,
  constraint queues_bucket_check check ((rate is null) = (rate_ms is null) and (rate is null) = (burst is null)),
  constraint queues_breaker_check check (breaker is not null or open_until is null)
) with (fillfactor = 50)`;
