import { isDeepStrictEqual } from 'node:util';
import { isSameZone } from '../core/calendar/time-zone.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import { storedShape } from '../core/job/stored-definition.js';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { addScheduleVersionsSql } from './statements/add-schedule-versions.sql.js';
import { findJobsSql, type JobRow } from './statements/find-jobs.sql.js';
import { findNewestVersionsSql } from './statements/find-newest-versions.sql.js';
import type { ScheduleVersionRow } from './statements/find-schedule-versions.sql.js';
import { insertSchedulesSql } from './statements/insert-schedules.sql.js';
import { lockSchedulesSql } from './statements/lock-schedules.sql.js';
import { registerJobsSql } from './statements/register-jobs.sql.js';

/** What is stored of a schedule's definition. */
interface StoredDefinition {
  readonly scheduleName: string;
  readonly startAt: Date | null;
  readonly expression: string;
  readonly timeZone: string;
  readonly shape: Readonly<Record<string, unknown>>;
}

/**
 * Writes the definitions of a process. It reads first and writes only what differs, so that a restart writes nothing and
 * any number of processes may register at once.
 */
export class ScheduleRegistration {
  private readonly sql;

  constructor(names: LedgerNames) {
    this.sql = {
      findJobs: findJobsSql(names),
      registerJobs: registerJobsSql(names),
      findNewest: findNewestVersionsSql(names),
      insertSchedules: insertSchedulesSql(names),
      lockSchedules: lockSchedulesSql(names),
      addVersions: addScheduleVersionsSql(names),
    };
  }

  async run(session: Session, definitions: readonly JobDefinition[], now: Date | null): Promise<void> {
    await this.registerJobs(session, definitions);
    const wanted = definitions.flatMap(storedDefinition);
    const known = await this.newest(session, wanted);
    const added = wanted.filter(({ scheduleName }) => !known.has(scheduleName));
    if (added.length > 0) await this.insertSchedules(session, added, now);
    const stored = added.length > 0 ? await this.newest(session, wanted) : known;
    const changed = wanted.filter((definition) => differs(definition, stored));
    if (changed.length > 0) await this.addVersions(session, changed, now);
  }

  private async registerJobs(session: Session, definitions: readonly JobDefinition[]): Promise<void> {
    const rows = await session.query<JobRow>(this.sql.findJobs, [definitions.map(({ name }) => name)]);
    const known = new Map(rows.map((row) => [row.name, row]));
    const changed = definitions.filter(({ name, overlap, concurrency }) => {
      const row = known.get(name);
      return row?.overlap !== overlap || row.concurrency !== concurrency;
    });
    if (changed.length === 0) return;
    await session.query(this.sql.registerJobs, [
      changed.map(({ name }) => name),
      changed.map(({ overlap }) => overlap),
      changed.map(({ concurrency }) => concurrency),
    ]);
  }

  private async newest(
    session: Session,
    wanted: readonly StoredDefinition[],
  ): Promise<ReadonlyMap<string, ScheduleVersionRow>> {
    if (wanted.length === 0) return new Map();
    const rows = await session.query<ScheduleVersionRow>(this.sql.findNewest, [wanted.map(nameOf)]);
    return new Map(rows.map((row) => [row.schedule_name, row]));
  }

  private async insertSchedules(session: Session, added: readonly StoredDefinition[], now: Date | null): Promise<void> {
    await session.query(this.sql.insertSchedules, [
      added.map(nameOf),
      added.map(nameOf),
      added.map(({ startAt }) => startAt),
      ...definitionColumns(added),
      now,
    ]);
  }

  /** Looks again under the rows' locks: another process may have added the same version meanwhile. */
  private async addVersions(session: Session, changed: readonly StoredDefinition[], now: Date | null): Promise<void> {
    await session.query(this.sql.lockSchedules, [changed.map(nameOf)]);
    const stored = await this.newest(session, changed);
    const still = changed.filter((definition) => differs(definition, stored));
    if (still.length === 0) return;
    await session.query(this.sql.addVersions, [still.map(nameOf), ...definitionColumns(still), now]);
  }
}

const nameOf = ({ scheduleName }: StoredDefinition): string => scheduleName;

const definitionColumns = (definitions: readonly StoredDefinition[]): readonly (readonly string[])[] => [
  definitions.map(({ expression }) => expression),
  definitions.map(({ timeZone }) => timeZone),
  definitions.map(({ shape }) => JSON.stringify(shape)),
];

function storedDefinition({ name, schedule, disabled }: JobDefinition): readonly StoredDefinition[] {
  if (schedule === null) return [];
  return [
    {
      scheduleName: name,
      startAt: schedule.startAt,
      expression: schedule.expression,
      timeZone: schedule.definition.timeZone,
      shape: storedShape(schedule.definition, disabled),
    },
  ];
}

function differs(definition: StoredDefinition, stored: ReadonlyMap<string, ScheduleVersionRow>): boolean {
  const row = stored.get(definition.scheduleName);
  return (
    row === undefined ||
    row.expression !== definition.expression ||
    !isSameZone(row.time_zone, definition.timeZone) ||
    !isDeepStrictEqual(row.shape, definition.shape)
  );
}
