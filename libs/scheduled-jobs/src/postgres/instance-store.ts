import type { Instance, InstanceFacts, InstanceStore } from '../core/ports/instance-store.js';
import type { Database } from './database/database.js';
import type { LedgerNames } from './ledger-names.js';
import { findInstancesSql, type InstanceRow } from './statements/find-instances.sql.js';
import { noteInstanceSql } from './statements/note-instance.sql.js';
import { noteStopSql } from './statements/note-stop.sql.js';
import { removeUnseenInstancesSql } from './statements/remove-unseen-instances.sql.js';

const MAX_LISTED = 1_000;
const MAX_REMOVED = 1_000;

/** Which processes there are: one row each. */
export class PostgresInstanceStore implements InstanceStore {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
    /** Waits less: it is used while the application closes. */
    private readonly closing: Database,
  ) {
    this.sql = {
      note: noteInstanceSql(names),
      stop: noteStopSql(names),
      find: findInstancesSql(names),
      remove: removeUnseenInstancesSql(names),
    };
  }

  async seen(facts: InstanceFacts, now: Date | null): Promise<void> {
    const { instanceId, roles, workerId, version, definitionsDigest, zoneData } = facts;
    const values = [instanceId, roles, workerId, version, definitionsDigest, zoneData, now];
    await this.database.query('note an instance', this.sql.note, values);
  }

  async stopped(instanceId: string, now: Date | null): Promise<void> {
    await this.closing.query('note that an instance has stopped', this.sql.stop, [instanceId, now]);
  }

  async list(): Promise<readonly Instance[]> {
    const rows = await this.database.query<InstanceRow>('list instances', this.sql.find, [MAX_LISTED]);
    return rows.map((row) => ({
      instanceId: row.id,
      roles: row.roles,
      workerId: row.worker_id,
      version: row.version,
      definitionsDigest: row.definitions_digest,
      zoneData: row.zone_data,
      startedAt: row.started_at,
      seenAt: row.seen_at,
      stoppedAt: row.stopped_at,
    }));
  }

  async removeUnseen(now: Date | null): Promise<number> {
    return (await this.database.query('remove instances that have gone', this.sql.remove, [now, MAX_REMOVED])).length;
  }
}
