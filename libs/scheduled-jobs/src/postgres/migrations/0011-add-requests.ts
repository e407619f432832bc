import type { QueryRunner } from 'typeorm';
import { ledgerNames, type LedgerNames } from '../ledger-names.js';
import type { LedgerMigration } from './ledger-migration.js';

/** Answers of requests that may be repeated. */
export class AddRequests1765152000000 implements LedgerMigration {
  readonly name = 'AddRequests1765152000000';
  readonly oldestWorkingVersion = 1;

  constructor(private readonly schema: string) {}

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(requests(ledgerNames(this.schema)));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${ledgerNames(this.schema).table.requests}`);
  }
}

/** One row a request with a key of its sender, for a day. Both hashes are texts of 32 digits; no answer = it is being done. */
const requests = ({ table }: LedgerNames): string => `
create table ${table.requests} (
  id text collate "C" constraint requests_pk primary key,
  digest text collate "C" not null,
  began_at timestamptz not null,
  answer json
);
create index requests_began on ${table.requests} (began_at)`;
