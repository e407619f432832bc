import type { ChangeReader, ChangeSnapshot } from '../../core/ports/change-reader.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import { lookForChangesSql, type ChangeRow } from '../statements/look-for-changes.sql.js';

const LOOKED_AT = 100;

/** Looks at what may have changed. */
export class PostgresChangeReader implements ChangeReader {
  private readonly sql: string;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = lookForChangesSql(names);
  }

  async snapshot(watched: readonly string[]): Promise<ChangeSnapshot> {
    const rows = await this.database.query<ChangeRow>('look for changes', this.sql, [watched, LOOKED_AT]);
    const { operations, alerts } = rows[0] ?? { operations: '', alerts: '' };
    const states = new Map(rows.flatMap(({ id, state }) => (id === null ? [] : [[id, state] as const])));
    return { states, operations, alerts };
  }
}
