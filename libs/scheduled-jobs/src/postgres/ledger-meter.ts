import type { DataSource } from 'typeorm';
import { MINUTE_MS } from '../core/duration.js';
import type { CappedCount } from '../core/ports/capped-count.js';
import type { LedgerMeasures, LedgerMeter } from '../core/ports/ledger-meter.js';
import type { Database } from './database/database.js';
import type { LedgerNames } from './ledger-names.js';
import { checkSchema } from './schema-version.js';
import { measureLedgerSql, type MeasuresRow } from './statements/measure-ledger.sql.js';

const MAX_COUNTED = 10_000;
/** A process says that it is alive about every 30 s. */
const GONE_AFTER_MS = 2 * MINUTE_MS;

/** Measures the ledger by one statement. */
export class PostgresLedgerMeter implements LedgerMeter {
  private readonly sql: string;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
    private readonly dataSource: DataSource,
  ) {
    this.sql = measureLedgerSql(names);
  }

  async measure(now: Date | null): Promise<LedgerMeasures> {
    const values = [now, MAX_COUNTED + 1, GONE_AFTER_MS];
    const [row] = await this.database.query<MeasuresRow>('measure the ledger', this.sql, values);
    if (row === undefined) throw new TypeError('The ledger gave no measures.');
    return {
      deadLetters: capped(row.dead_letters),
      delayed: capped(row.delayed),
      waiting: capped(row.waiting),
      held: capped(row.held),
      instances: { total: row.instances, workers: row.workers, schedulers: row.schedulers },
    };
  }

  check(): Promise<void> {
    return checkSchema(this.dataSource, { schema: this.names.schema });
  }
}

const capped = (count: number): CappedCount => ({ count: Math.min(count, MAX_COUNTED), capped: count > MAX_COUNTED });
