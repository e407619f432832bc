import { createHash } from 'node:crypto';
import { InvalidOptionsError } from '../core/errors.js';

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,50}$/;

/** All tables of the ledger. */
export const LEDGER_TABLES = [
  'keys',
  'executions',
  'outcomes',
  'work',
  'attempts',
  'jobs',
  'schedules',
  'schedule_versions',
  'skipped_ranges',
  'checkpoints',
  'items',
  'frozen_items',
  'steps',
  'logs',
  'suspensions',
  'backfills',
  'leases',
  'audit',
  'queues',
  'alerts',
  'alert_watches',
  'instances',
  'requests',
  'migrations',
] as const;
type Table = (typeof LEDGER_TABLES)[number];

/** The PostgreSQL schema of the ledger when nobody says otherwise. */
export const DEFAULT_SCHEMA = 'scheduled_jobs';

/** Qualified names of everything in the ledger's schema: statements never depend on a search path. */
export interface LedgerNames {
  /** The bare name of the schema. */
  readonly schema: string;
  readonly table: Readonly<Record<Table, string>>;
  /** Gives the ids of executions. */
  readonly executionIds: string;
  /** Gives the tokens of all leases, of executions and named ones. */
  readonly leaseTokens: string;
  /** Where hints that there may be work are sent. */
  readonly channel: string;
}

/**
 * The qualified names inside a schema.
 * @throws InvalidOptionsError when the schema's name is not 1–51 of `a-z 0-9 _`, starting with a letter or `_`.
 */
export function ledgerNames(schema: string): LedgerNames {
  if (!SCHEMA_NAME.test(schema)) {
    throw new InvalidOptionsError([
      `schema ${JSON.stringify(schema)} must be 1–51 lower-case letters, digits or "_", not starting with a digit.`,
    ]);
  }
  const qualified = (name: string): string => `"${schema}".${name}`;
  return {
    schema,
    table: Object.fromEntries(LEDGER_TABLES.map((table) => [table, qualified(table)])) as Record<Table, string>,
    executionIds: qualified('executions_id_seq'),
    leaseTokens: qualified('lease_tokens'),
    channel: `${schema}_hints`,
  };
}

/**
 * What an advisory lock of a schema is for. `admit` serialises the giving of slots, `migrate` the migrations, `lease/…` the
 * asking for one named lease.
 */
export type LockPurpose = 'admit' | 'migrate' | `lease/${string}`;

// Marks our locks among those that the host application may take with two numbers of its own.
const LOCK_CLASS = 0x736a6f62;

/** The two numbers of an advisory lock; schemas of one database do not share locks. */
export function advisoryLock(schema: string, purpose: LockPurpose): readonly [number, number] {
  const digest = createHash('sha256').update(`${schema}/${purpose}`).digest();
  return [LOCK_CLASS, digest.readInt32BE(0)];
}
