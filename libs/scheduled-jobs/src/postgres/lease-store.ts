import type { EntityManager } from 'typeorm';
import type { HeldLease, LeaseRequest, LeaseStore } from '../core/ports/lease-store.js';
import type { Database } from './database/database.js';
import { ClientSession } from './database/session.js';
import { advisoryLock, type LedgerNames } from './ledger-names.js';
import { acquireLeaseSql, type AcquiredLeaseRow } from './statements/acquire-lease.sql.js';
import { fenceLeaseSql } from './statements/fence-lease.sql.js';
import { findLeaseHolderSql, type LeaseHolderRow } from './statements/find-lease-holder.sql.js';
import { releaseLeaseSql } from './statements/release-lease.sql.js';
import { removeExpiredLeasesSql } from './statements/remove-expired-leases.sql.js';
import { renewLeaseSql } from './statements/renew-lease.sql.js';

/** A connection that the caller passes in is the caller's to end. */
const CALLERS_OWN_MS = 0;

/** Named leases, one row each. All but the fence are statements in transactions of their own. */
export class PostgresLeaseStore implements LeaseStore<EntityManager> {
  private readonly sql;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      acquire: acquireLeaseSql(names),
      findHolder: findLeaseHolderSql(names),
      renew: renewLeaseSql(names),
      release: releaseLeaseSql(names),
      fence: fenceLeaseSql(names),
      removeExpired: removeExpiredLeasesSql(names),
    };
  }

  /** A lease that was held at first and free when its holder was looked for is asked for again. */
  async acquire(request: LeaseRequest): ReturnType<LeaseStore<EntityManager>['acquire']> {
    const { name, holder, ttlMs, now } = request;
    const lock = advisoryLock(this.names.schema, `lease/${name}`);
    for (;;) {
      const [taken] = await this.query<AcquiredLeaseRow>('acquire', this.sql.acquire, [
        ...lock,
        name,
        holder,
        ttlMs,
        now,
      ]);
      if (taken !== undefined) {
        return { acquired: true, lease: { name, leaseToken: taken.token, ttlMs, acquiredAt: taken.acquired_at } };
      }
      const [other] = await this.query<LeaseHolderRow>('look at', this.sql.findHolder, [name, now]);
      if (other !== undefined) {
        return { acquired: false, holder: other.holder, leaseUntil: other.lease_until, now: other.now };
      }
    }
  }

  async renew({ name, leaseToken, ttlMs }: HeldLease, now: Date | null): Promise<boolean> {
    return (await this.query('renew', this.sql.renew, [name, leaseToken, ttlMs, now])).length > 0;
  }

  async release({ name, leaseToken }: HeldLease): Promise<void> {
    await this.query('release', this.sql.release, [name, leaseToken]);
  }

  async fence(lease: HeldLease, tx: EntityManager, now: Date | null): Promise<boolean> {
    const runner = tx.queryRunner;
    if (runner === undefined) throw new TypeError('A lease is fenced in a transaction.');
    const session = await ClientSession.of(runner, CALLERS_OWN_MS);
    const { name, leaseToken, ttlMs } = lease;
    return (await session.query(this.sql.fence, [name, leaseToken, ttlMs, now])).length > 0;
  }

  async removeExpired(limit: number, now: Date | null): Promise<number> {
    return (await this.database.query('remove expired leases', this.sql.removeExpired, [now, limit])).length;
  }

  private query<Row>(action: string, sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.database.query<Row>(`${action} a named lease`, sql, values);
  }
}
