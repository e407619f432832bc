import type { RegisteredSchedule, ScheduleVersion } from '../ports/schedule-store.js';
import { greatestRelease, takesEffect } from './definition-change.js';
import { isSameDefinition } from './stored-definition.js';

/** A stored version, with what is known beside its text. */
export interface StoredVersion extends ScheduleVersion {
  /** When an instance whose code equals it was last seen; null = never. */
  readonly carriedAt: Date | null;
  /** The zone data of the process that wrote it; information only. */
  readonly zoneData: string | null;
}

/** A schedule as it is stored. */
export interface StoredSchedule {
  readonly scheduleName: string;
  readonly cursorAt: Date;
  /** The greatest release that has put a definition in force here; null = none had a number. */
  readonly release: number | null;
  /** The schedule that took over from it; null = it is in force itself. */
  readonly renamedTo: string | null;
  /** In order, at least the newest one. */
  readonly versions: readonly [StoredVersion, ...StoredVersion[]];
}

/** The schedule of a job as a process's code has it. */
export interface OwnSchedule extends Pick<StoredVersion, 'expression' | 'timeZone' | 'shape' | 'zoneData'> {
  readonly scheduleName: string;
  /** The oldest first. */
  readonly aliases: readonly string[];
}

/** What a registration is judged by. */
export interface RegistrationContext {
  readonly release: number | null;
  readonly now: Date;
  /** All schedules of the process: none of them takes another one over. */
  readonly ownNames: ReadonlySet<string>;
}

/** What is to be written for one schedule. */
export interface RegistrationPlan {
  readonly scheduleName: string;
  /** Null = nothing that anybody is to be told about. */
  readonly change: RegisteredSchedule['change'] | null;
  /** The version in force afterwards. */
  readonly version: number;
  /** The version of this schedule that equals the code; null = none. */
  readonly carried: number | null;
  /** From where the schedule goes on; it is due then. Null = only its release may change. */
  readonly cursorAt: Date | null;
  readonly release: number | null;
  readonly addedVersions: readonly StoredVersion[];
  /** Schedules in whose place this one comes. */
  readonly takenOver: readonly string[];
  /** The one of them that it goes on from; null = it goes its own way. */
  readonly continues: string | null;
  /** Its versions before this one belong to the schedule that took over from it. */
  readonly beginsAnew: boolean;
}

/** A schedule, before anything of a plan is written. */
type Standing = Pick<StoredSchedule, 'cursorAt' | 'release' | 'versions'>;

/** The newest version of a schedule: the one in force, if nothing took over from it. */
export const newestOf = ({ versions }: Pick<StoredSchedule, 'versions'>): StoredVersion =>
  versions.at(-1) ?? versions[0];

/**
 * Decides what the registration of a schedule changes, from what is stored of it and of those that it may take over from.
 * @param stored Every schedule of its lineage that exists, with all versions.
 * @returns Null = it does not exist yet and takes nothing over.
 */
export function planRegistration(
  own: OwnSchedule,
  stored: ReadonlyMap<string, StoredSchedule>,
  context: RegistrationContext,
): RegistrationPlan | null {
  const row = stored.get(own.scheduleName);
  const others = othersInForce(own, stored, context.ownNames);
  const isReplaced = row !== undefined && row.renamedTo !== null;
  // What took over from one of its names, and is not one itself, may be another application's: it waits until nobody carries
  // that, as if it had been replaced.
  const wasReplaced = (other: StoredSchedule) => isReplaced || !own.aliases.includes(other.scheduleName);
  const blocking = others.find(
    (other) => !takesEffect(ownDefinition(context, wasReplaced(other)), inForce(other), context.now),
  );
  if (row !== undefined && !isReplaced) {
    const plan = planDefinition(own, row, context);
    return others.length === 0 || blocking !== undefined
      ? plan
      : { ...plan, change: 'renamed', takenOver: others.map(nameOf) };
  }
  if (blocking !== undefined) return { ...unchanged(own, blocking), change: 'left' };
  const last = others.at(-1);
  if (last !== undefined) return planTakeOver(own, { row, others, last }, context);
  return row === undefined ? null : planRevival(own, row, context);
}

/** The schedules in force, the newest name last, in whose place this one may come. */
export function othersInForce(
  { scheduleName, aliases }: Pick<OwnSchedule, 'scheduleName' | 'aliases'>,
  stored: ReadonlyMap<string, StoredSchedule>,
  ownNames: RegistrationContext['ownNames'],
): readonly StoredSchedule[] {
  const successors = [...aliases, scheduleName].flatMap((name) => successorOf(name, stored) ?? []);
  return [...new Set(successors)].filter((one) => one.scheduleName !== scheduleName && !ownNames.has(one.scheduleName));
}

/** The schedule that has taken over, directly or through others, from the one of a name; that one itself, if none has. */
function successorOf(name: string, stored: ReadonlyMap<string, StoredSchedule>): StoredSchedule | undefined {
  const row = stored.get(name);
  return row === undefined || row.renamedTo === null ? row : (successorOf(row.renamedTo, stored) ?? row);
}

function planDefinition(own: OwnSchedule, row: StoredSchedule, context: RegistrationContext): RegistrationPlan {
  const equal = row.versions.findLast((version) => isSameDefinition(version, own));
  const plan = { ...unchanged(own, row), carried: equal?.version ?? null };
  if (equal === newestOf(row)) return { ...plan, release: greatestRelease(row.release, context.release) };
  const isOwnNewest = takesEffect(ownDefinition(context, equal !== undefined), inForce(row), context.now);
  return isOwnNewest ? { ...plan, ...withDefinition(own, row, context) } : { ...plan, change: 'left' };
}

interface TakeOver {
  /** What is stored under the schedule's own name. */
  readonly row: StoredSchedule | undefined;
  readonly others: readonly StoredSchedule[];
  /** The one of them that it goes on from. */
  readonly last: StoredSchedule;
}

/** The schedule goes on where the others stopped, by what was in force there. */
function planTakeOver(
  own: OwnSchedule,
  { row, others, last }: TakeOver,
  context: RegistrationContext,
): RegistrationPlan {
  const all = row === undefined ? others : [row, ...others];
  const cursorAt = latest(...all.map((one) => one.cursorAt));
  const release = greatestRelease(...all.map((one) => one.release));
  const inherited = row === undefined ? last.versions : appended(row, last);
  const [first, ...rest] = [...(row?.versions ?? []), ...inherited];
  const versions = [first ?? last.versions[0], ...rest] as const;
  const plan = withDefinition(own, { cursorAt, release, versions }, context);
  return {
    ...plan,
    change: 'renamed',
    addedVersions: [...inherited, ...plan.addedVersions],
    takenOver: others.map(nameOf),
    continues: last.scheduleName,
  };
}

/** Its name was given to another job: it begins anew, at the present. */
function planRevival(own: OwnSchedule, row: StoredSchedule, context: RegistrationContext): RegistrationPlan {
  const cursorAt = latest(row.cursorAt, context.now);
  return { ...withNewVersion(own, { ...row, cursorAt }, context), beginsAnew: true };
}

/** What was in force in another schedule from where this one stopped, as newer versions of this one. */
function appended(row: StoredSchedule, other: StoredSchedule): readonly StoredVersion[] {
  const newest = newestOf(row);
  const first = other.versions.findLastIndex(({ validFrom }) => validFrom <= row.cursorAt);
  const effective = other.versions.slice(Math.max(first, 0));
  if (effective.every((version) => isSameDefinition(version, newest))) return [];
  return effective.map((version, index) => ({
    ...version,
    version: newest.version + index + 1,
    validFrom: latest(version.validFrom, newest.validFrom),
  }));
}

/**
 * The process's own definition in force from now on. What a tick has recorded meanwhile belongs to the version before, so
 * the new one is not valid before the cursor.
 */
function withDefinition(own: OwnSchedule, standing: Standing, context: RegistrationContext): RegistrationPlan {
  const plan = withNewVersion(own, standing, context);
  const newest = newestOf(standing);
  if (!isSameDefinition(newest, own)) return plan;
  return { ...plan, version: newest.version, carried: newest.version, addedVersions: [] };
}

function withNewVersion(own: OwnSchedule, standing: Standing, { release, now }: RegistrationContext): RegistrationPlan {
  const { cursorAt } = standing;
  const newest = newestOf(standing);
  const { scheduleName, expression, timeZone, shape, zoneData } = own;
  const added: StoredVersion = {
    version: newest.version + 1,
    validFrom: latest(now, cursorAt, newest.validFrom),
    expression,
    timeZone,
    shape,
    zoneData,
    carriedAt: null,
  };
  return {
    scheduleName,
    change: 'changed',
    version: added.version,
    carried: added.version,
    cursorAt,
    release: greatestRelease(standing.release, release),
    addedVersions: [added],
    takenOver: [],
    continues: null,
    beginsAnew: false,
  };
}

const unchanged = ({ scheduleName }: OwnSchedule, row: StoredSchedule): RegistrationPlan => ({
  scheduleName,
  change: null,
  version: newestOf(row).version,
  carried: null,
  cursorAt: null,
  release: row.release,
  addedVersions: [],
  takenOver: [],
  continues: null,
  beginsAnew: false,
});

const ownDefinition = ({ release }: RegistrationContext, wasReplaced: boolean) => ({ release, wasReplaced });

const inForce = (row: StoredSchedule) => ({ release: row.release, carriedAt: newestOf(row).carriedAt });

const nameOf = ({ scheduleName }: StoredSchedule): string => scheduleName;

const latest = (...instants: readonly Date[]): Date =>
  new Date(Math.max(...instants.map((instant) => instant.getTime())));
