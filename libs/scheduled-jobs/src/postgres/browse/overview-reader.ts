import type { CappedCount } from '../../core/ports/capped-count.js';
import type { OverviewFacts, OverviewReader } from '../../core/ports/overview-reader.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import { lookOverSql, type OverviewRow } from '../statements/look-over.sql.js';

const COUNTED = 10_000;
const NAMED = 100;

/** Reads how all stands. */
export class PostgresOverviewReader implements OverviewReader {
  private readonly sql: string;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = lookOverSql(names);
  }

  async facts(now: Date | null): Promise<OverviewFacts> {
    const [row] = await this.database.query<OverviewRow>('look over the ledger', this.sql, [now, COUNTED + 1, NAMED]);
    if (row === undefined) throw new TypeError('A statement that counts gave no row.');
    const { schedules: total, paused, disabled, orphaned, behind, behind_names: behindNames } = row;
    const { workers, schedulers, instances } = row;
    return {
      now: row.now,
      executions: executionsOf(row),
      schedules: { total, paused, disabled, orphaned, behind, behindNames },
      instances: { workers, schedulers, total: instances },
      unhandled: row.unhandled,
      missed: row.missed,
    };
  }
}

/** Where there is more work than was looked at, there may be more of either kind. */
function executionsOf({ looked_at, pending, retrying, running }: OverviewRow): OverviewFacts['executions'] {
  const isCapped = looked_at > COUNTED;
  const counted = (count: number, capped: boolean): CappedCount => ({ count: Math.min(count, COUNTED), capped });
  return {
    pending: counted(pending, isCapped),
    running: counted(running, running > COUNTED),
    retrying: counted(retrying, isCapped),
  };
}
