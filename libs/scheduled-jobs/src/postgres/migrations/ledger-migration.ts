import type { MigrationInterface } from 'typeorm';

/** A step from one schema version to the next. Released steps never change. */
export interface LedgerMigration extends MigrationInterface {
  /** Verb and object, then 13 digits. */
  readonly name: string;
  /** The oldest schema version whose library still works once this step is done. */
  readonly oldestWorkingVersion: number;
}

/** Makes a step for a schema. */
export type LedgerMigrationClass = new (schema: string) => LedgerMigration;
