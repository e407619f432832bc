import pg from 'pg';
import type { Lease } from '../../core/execution/claimed-execution.js';
import type { SharedLease } from '../../core/ports/keeper-thread.js';
import { boundValue, COLUMN_TYPES } from '../database/column-values.js';
import { ledgerNames } from '../ledger-names.js';
import { renewLeasesSql, type LeaseRow } from '../statements/renew-leases.sql.js';
import type { RenewalConnection } from './blocked-loop-renewals.js';

/** A connection attempt, a renewal or a goodbye that takes longer counts as failed. */
const PATIENCE_MS = 5_000;

/** The one connection of the keeper thread. After a failure the next renewal gets a new one. */
export class PostgresRenewalConnection implements RenewalConnection {
  private readonly sql: string;
  private client: pg.Client | null = null;

  constructor(
    private readonly connection: pg.ClientConfig,
    schema: string,
  ) {
    this.sql = renewLeasesSql(ledgerNames(schema));
  }

  async renew(leases: readonly SharedLease[]): Promise<readonly Lease[]> {
    const columns = [
      leases.map(({ executionId }) => executionId),
      leases.map(({ leaseToken }) => leaseToken),
      leases.map(({ startedAt }) => startedAt),
      null,
    ];
    try {
      this.client ??= await this.connect();
      const statement = { text: this.sql, values: columns.map(boundValue), types: COLUMN_TYPES };
      const { rows } = await this.client.query<LeaseRow>({
        ...statement,
        query_timeout: PATIENCE_MS,
      } as object as pg.QueryConfig);
      return rows.map(({ id, token }) => ({ executionId: id, leaseToken: token }));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { client } = this;
    if (client === null) return;
    this.client = null;
    // A connection whose other side is gone never says goodbye.
    const late = setTimeout(() => destroy(client), PATIENCE_MS);
    await client.end().catch(() => {});
    clearTimeout(late);
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      application_name: 'scheduled-jobs keeper thread',
      ...this.connection,
      connectionTimeoutMillis: PATIENCE_MS,
    });
    // The next renewal meets the failure.
    client.on('error', () => {});
    await client.connect().catch((error: unknown) => {
      destroy(client);
      throw error;
    });
    return client;
  }
}

const destroy = (client: pg.Client): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
