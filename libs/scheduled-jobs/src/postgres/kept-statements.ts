import { createHash } from 'node:crypto';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { CLAIM_PARAMETERS, CLAIMED_COLUMNS, claimOnwardsSql, claimWorkSql } from './statements/claim-work.sql.js';
import { dropKeptStatementSql } from './statements/drop-kept-statement.sql.js';
import { findKeptStatementsSql, type KeptStatementRow } from './statements/find-kept-statements.sql.js';
import { finishSucceededSql } from './statements/finish-succeeded.sql.js';
import { keepStatementSql } from './statements/keep-statement.sql.js';
import { lookForWorkSql } from './statements/look-for-work.sql.js';

/** A statement that is also a function in the schema, so that each connection plans it once and not each time. */
export interface KeptStatement {
  /** The statement itself, for where the function is not. */
  readonly text: string;
  /** Calls the function, with the same values. */
  readonly call: string;
  /** The function's bare name, which tells its text: versions of the package may share a schema. */
  readonly name: string;
  /** Creates the function. */
  readonly create: string;
}

interface Signature {
  readonly text: string;
  /** Types, in order. */
  readonly parameters: string;
  /** Names and types, in order. */
  readonly columns: string;
  /** Ways of joining that its plan must not take. */
  readonly withoutJoins?: readonly ('nestloop' | 'mergejoin')[];
}

/** The statements that every execution takes part in, and the look of every poll. */
export const keptStatements = (names: LedgerNames) => ({
  claim: kept(names, 'claim', {
    text: claimWorkSql(names),
    parameters: CLAIM_PARAMETERS,
    columns: CLAIMED_COLUMNS,
  }),
  claimOnwards: kept(names, 'claim_onwards', {
    text: claimOnwardsSql(names),
    parameters: `${CLAIM_PARAMETERS}, smallint[], float8[], bigint[]`,
    columns: `${CLAIMED_COLUMNS}, priority smallint, run_s float8`,
  }),
  finishSucceeded: kept(names, 'finish_succeeded', {
    text: finishSucceededSql(names),
    parameters: 'bigint[], bigint[], float8[], float8[], text[], text',
    columns: 'recorded json',
    withoutJoins: ['nestloop', 'mergejoin'],
  }),
  look: kept(names, 'look', {
    text: lookForWorkSql(names),
    parameters: 'text[], timestamptz, boolean',
    columns:
      'ready boolean, gated boolean, due boolean, waiting boolean, held boolean, next_run_in_ms float8, expired boolean',
  }),
});

function kept(names: LedgerNames, verb: string, { withoutJoins = [], ...signature }: Signature): KeptStatement {
  const create = (name: string): string => keepStatementSql(name, { ...signature, withoutJoins });
  // The same in every schema.
  const digest = createHash('sha256')
    .update(create('').replaceAll(`"${names.schema}".`, ''))
    .digest('hex')
    .slice(0, 8);
  const name = `kept_${verb}_${digest}`;
  const qualified = `"${names.schema}".${name}`;
  const parameters = signature.parameters.split(', ').map((_type, index) => `$${index + 1}`);
  return {
    text: signature.text,
    call: `select * from ${qualified}(${parameters.join(', ')})`,
    name,
    create: create(qualified),
  };
}

/**
 * Makes the functions that this version calls, as far as they are not there, and drops those of other versions. Call it under
 * the migration lock.
 */
export async function keepStatements(session: Session, names: LedgerNames): Promise<void> {
  const found = await session.query<KeptStatementRow>(findKeptStatementsSql(), [names.schema]);
  const statements = Object.values(keptStatements(names));
  for (const { name, create } of statements) {
    if (!found.some((row) => row.name === name)) await session.query(create);
  }
  const others = found.filter(({ name, own }) => own && !statements.some((statement) => statement.name === name));
  for (const { name } of others) await session.query(dropKeptStatementSql(names, name));
}
