import type { JobDefinition } from '../../core/job/job-definition.js';
import type { RegisteredSchedule } from '../../core/ports/schedule-store.js';
import { isGreater } from '../../core/schedule/definition-change.js';
import {
  newestOf,
  othersInForce,
  planRegistration,
  type OwnSchedule,
  type RegistrationContext,
  type RegistrationPlan,
} from '../../core/schedule/registration-plan.js';
import { isSameDefinition, storedText } from '../../core/schedule/stored-definition.js';
import type { Session } from '../database/session.js';
import type { LedgerNames } from '../ledger-names.js';
import { CARRIED_AGAIN_AFTER_MS, carryVersionsSql } from '../statements/carry-versions.sql.js';
import { insertSchedulesSql } from '../statements/insert-schedules.sql.js';
import { RegistrationWriter } from './registration-writer.js';
import { StoredSchedules, type ReadSchedule, type ReadSchedules } from './stored-schedules.js';

/** The version of the zone data that this process computes with; information only. */
const ZONE_DATA = process.versions['tz'] ?? null;

/** What a registration is asked with. */
export interface RegistrationRequest {
  readonly release: number | null;
  readonly now: Date | null;
}

/** The schedule of a process's job. */
interface Wanted extends OwnSchedule {
  readonly startAt: Date | null;
}

type Request = RegistrationRequest & Pick<RegistrationContext, 'ownNames'>;

interface CarriedVersion {
  readonly scheduleName: string;
  readonly version: number;
}

/**
 * Brings the stored schedules in line with the definitions of a process, by the rules of the core, and notes that they are
 * carried.
 *
 * It reads first, without locks, and goes on only where something is to be written: restarts, and any number of processes
 * that say the same, write nothing but, now and then, that they are alive. What is to be written is read and judged again
 * under the locks of all schedules of the lineage, so that one process alone writes a change, and no tick of an old
 * definition or an old name goes on beside it.
 */
export class ScheduleRegistration {
  private readonly sql;
  private readonly schedules: StoredSchedules;
  private readonly writer: RegistrationWriter;

  constructor(names: LedgerNames) {
    this.sql = { insertSchedules: insertSchedulesSql(names), carry: carryVersionsSql(names) };
    this.schedules = new StoredSchedules(names);
    this.writer = new RegistrationWriter(names);
  }

  async run(
    session: Session,
    definitions: readonly JobDefinition[],
    { release, now }: RegistrationRequest,
  ): Promise<readonly RegisteredSchedule[]> {
    const wanted = definitions.flatMap(wantedSchedule);
    if (wanted.length === 0) return [];
    const request = { release, now, ownNames: new Set(wanted.map(nameOf)) };
    const stored = await this.schedules.newest(session, wanted.flatMap(namesOf), now);
    const settled = new Set(wanted.filter((own) => isSettled(own, stored, request)));
    const open = wanted.filter((own) => !settled.has(own));
    const plans = open.length === 0 ? [] : await this.settle(session, open, { stored, request });
    await this.carry(session, [...settled].flatMap((own) => stale(own, stored)).concat(plans.flatMap(carried)), now);
    return plans.flatMap(({ scheduleName: jobName, change, version, takenOver }) =>
      change === null ? [] : [{ jobName, change, version, ...(change === 'renamed' ? { takenOver } : {}) }],
    );
  }

  private async settle(
    session: Session,
    open: readonly Wanted[],
    { stored, request }: { readonly stored: ReadSchedules; readonly request: Request },
  ): Promise<readonly RegistrationPlan[]> {
    const looked = await this.schedules.withHistory(session, stored);
    const seen = open.map((own) => planOf(own, looked, request));
    const plans = seen.filter((plan) => plan !== null);
    const writes = seen.length > plans.length || plans.some((plan) => isToBeWritten(plan, looked));
    return writes ? this.settleLocked(session, open, { stored, request }) : plans;
  }

  private async settleLocked(
    session: Session,
    open: readonly Wanted[],
    { stored, request }: { readonly stored: ReadSchedules; readonly request: Request },
  ): Promise<readonly RegistrationPlan[]> {
    const missing = open.filter((own) => namesOf(own).every((name) => !stored.has(name)));
    const added = new Set(missing.length === 0 ? [] : await this.insert(session, missing, request));
    const names = open.flatMap((own) => [...namesOf(own), ...othersInForce(own, stored, request.ownNames).map(nameOf)]);
    const locked = await this.schedules.locked(session, names, request.now);
    const plans = open.flatMap((own) => planOf(own, locked, request) ?? []);
    const orphaned = plans.flatMap((plan) => concerned(plan, locked)).filter(({ isOrphaned }) => isOrphaned);
    await this.writer.write(session, plans, { ...request, orphaned: orphaned.map(nameOf) });
    return plans.map((plan) =>
      plan.change === null && added.has(plan.scheduleName) ? { ...plan, change: 'added' } : plan,
    );
  }

  private async insert(
    session: Session,
    missing: readonly Wanted[],
    { release, now }: RegistrationRequest,
  ): Promise<readonly string[]> {
    const rows = await session.query<{ readonly schedule_name: string }>(this.sql.insertSchedules, [
      missing.map(nameOf),
      missing.map(({ startAt }) => startAt),
      missing.map(({ expression }) => expression),
      missing.map(({ timeZone }) => timeZone),
      missing.map(({ shape }) => JSON.stringify(shape)),
      missing.map(({ zoneData }) => zoneData),
      release,
      now,
    ]);
    return rows.map(({ schedule_name }) => schedule_name);
  }

  private async carry(session: Session, versions: readonly CarriedVersion[], now: Date | null): Promise<void> {
    if (versions.length === 0) return;
    await session.query(this.sql.carry, [versions.map(nameOf), versions.map(({ version }) => version), now]);
  }
}

const nameOf = ({ scheduleName }: { readonly scheduleName: string }): string => scheduleName;

const namesOf = ({ scheduleName, aliases }: OwnSchedule): readonly string[] => [scheduleName, ...aliases];

function wantedSchedule({ name, aliases, schedule, disabled }: JobDefinition): readonly Wanted[] {
  if (schedule === null) return [];
  const { startAt } = schedule;
  return [{ scheduleName: name, aliases, ...storedText(schedule, disabled), zoneData: ZONE_DATA, startAt }];
}

/** Nothing but that it is carried can be to be written; its newest version alone tells so. */
function isSettled(own: Wanted, stored: ReadSchedules, { release, ownNames }: Request): boolean {
  const row = stored.get(own.scheduleName);
  return (
    row !== undefined &&
    row.renamedTo === null &&
    !row.isOrphaned &&
    !isGreater(release, row.release) &&
    isSameDefinition(newestOf(row), own) &&
    othersInForce(own, stored, ownNames).length === 0
  );
}

function planOf(own: Wanted, stored: ReadSchedules, { release, ownNames }: Request): RegistrationPlan | null {
  const [any] = stored.values();
  return any === undefined ? null : planRegistration(own, stored, { release, now: any.now, ownNames });
}

function isToBeWritten(plan: RegistrationPlan, stored: ReadSchedules): boolean {
  const release = stored.get(plan.scheduleName)?.release ?? null;
  return (
    plan.cursorAt !== null ||
    plan.takenOver.length > 0 ||
    (plan.carried !== null && isGreater(plan.release, release)) ||
    concerned(plan, stored).some(({ isOrphaned }) => isOrphaned)
  );
}

/** The stored schedules that a process carries by a plan: its own, if it is in force, and those it takes over. */
function concerned(
  { scheduleName, carried, takenOver }: RegistrationPlan,
  stored: ReadSchedules,
): readonly ReadSchedule[] {
  return [...(carried === null ? [] : [scheduleName]), ...takenOver].flatMap((name) => stored.get(name) ?? []);
}

function stale({ scheduleName }: Wanted, stored: ReadSchedules): readonly CarriedVersion[] {
  const row = stored.get(scheduleName);
  if (row === undefined) return [];
  const { version, carriedAt } = newestOf(row);
  const isStale = carriedAt === null || row.now.getTime() - carriedAt.getTime() > CARRIED_AGAIN_AFTER_MS;
  return isStale ? [{ scheduleName, version }] : [];
}

const carried = ({ scheduleName, carried: version }: RegistrationPlan): readonly CarriedVersion[] =>
  version === null ? [] : [{ scheduleName, version }];
