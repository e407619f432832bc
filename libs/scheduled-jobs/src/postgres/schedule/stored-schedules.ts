import { groupBy } from '../../core/group-by.js';
import type { StoredSchedule, StoredVersion } from '../../core/schedule/registration-plan.js';
import type { Session } from '../database/session.js';
import { scheduleVersion } from '../ledger/schedule-version.js';
import type { LedgerNames } from '../ledger-names.js';
import { findNewestVersionsSql, type NewestVersionRow } from '../statements/find-newest-versions.sql.js';
import { findStoredVersionsSql, type StoredVersionRow } from '../statements/find-stored-versions.sql.js';
import { lockSchedulesSql, type LockedVersionRow } from '../statements/lock-schedules.sql.js';

/** A stored schedule, and how it stands at the moment of reading. */
export interface ReadSchedule extends StoredSchedule {
  readonly isOrphaned: boolean;
  readonly now: Date;
}

/** Stored schedules by name. */
export type ReadSchedules = ReadonlyMap<string, ReadSchedule>;

/** Reads schedules as a registration sees them. */
export class StoredSchedules {
  private readonly sql;

  constructor(names: LedgerNames) {
    this.sql = {
      newest: findNewestVersionsSql(names),
      versions: findStoredVersionsSql(names),
      lock: lockSchedulesSql(names),
    };
  }

  /** The schedules of these names and those that took over from them, each with its newest version alone. */
  async newest(session: Session, names: readonly string[], now: Date | null): Promise<ReadSchedules> {
    const found = new Map<string, ReadSchedule>();
    for (let asked = [...new Set(names)]; asked.length > 0; asked = successorsBeyond(found)) {
      const rows = await session.query<NewestVersionRow>(this.sql.newest, [asked, now]);
      // A name that leads nowhere must not be asked for again.
      if (rows.length === 0) break;
      for (const row of rows) found.set(row.schedule_name, readSchedule(row));
    }
    return found;
  }

  /** The same schedules with all their versions. */
  async withHistory(session: Session, schedules: ReadSchedules): Promise<ReadSchedules> {
    const rows = await session.query<StoredVersionRow>(this.sql.versions, [[...schedules.keys()]]);
    const histories = groupBy(rows, ({ schedule_name: name }) => name);
    return new Map(
      [...schedules].map(([name, schedule]) => {
        const [first, ...rest] = (histories.get(name) ?? []).map(storedVersion);
        return [name, first === undefined ? schedule : { ...schedule, versions: [first, ...rest] as const }];
      }),
    );
  }

  /**
   * Locks the schedules of these names and those that took over from them, and reads them with all their versions. One that
   * was added while the lock of another was waited for is read, but not locked yet: it is asked for again.
   */
  async locked(session: Session, names: readonly string[], now: Date | null): Promise<ReadSchedules> {
    for (let asked: readonly string[] = [...new Set(names)]; ;) {
      const rows = await session.query<LockedVersionRow>(this.sql.lock, [asked]);
      const locked = new Set(rows.map(({ schedule_name: name }) => name));
      const schedules = await this.newest(session, asked, now);
      if ([...schedules.keys()].every((name) => locked.has(name))) return this.withHistory(session, schedules);
      asked = [...new Set([...asked, ...schedules.keys()])];
    }
  }
}

function successorsBeyond(found: ReadSchedules): string[] {
  const successors = [...found.values()].flatMap(({ renamedTo }) => renamedTo ?? []);
  return [...new Set(successors)].filter((name) => !found.has(name));
}

const readSchedule = (row: NewestVersionRow): ReadSchedule => ({
  scheduleName: row.schedule_name,
  cursorAt: row.cursor_at,
  release: row.release === null ? null : Number(row.release),
  renamedTo: row.renamed_to,
  versions: [storedVersion(row)],
  isOrphaned: row.is_orphaned,
  now: row.now,
});

const storedVersion = (row: StoredVersionRow): StoredVersion => ({
  ...scheduleVersion(row),
  carriedAt: row.carried_at,
  zoneData: row.zone_data,
});
