import { parseSchedule, type Schedule } from '../calendar/schedule.js';
import type { JobDefinition, JobSchedule } from '../job/job-definition.js';
import type { ScheduleVersion } from '../ports/schedule-store.js';
import { storedDefinition } from './stored-definition.js';
import type { Stretch } from './versioned-schedule.js';

/** What is asked of a job to read its stored versions: a schedule that no code carries has no functions. */
export type VersionedJob = Pick<JobDefinition, 'name'> & { readonly schedule: Pick<JobSchedule, 'definition'> };

/** A stretch of time in which one stored version is in force. */
export interface VersionStretch extends Stretch {
  readonly isDisabled: boolean;
}

/** Versions read before, by job name and number: a stored version is never changed. */
export type ParsedVersions = Map<string, Schedule>;

/**
 * The stretches of a schedule's stored versions, as `VersionedSchedule` takes them. The first one has no beginning: whoever
 * asks bounds the range.
 *
 * @param versions In order, without a gap between their numbers.
 * @param parsed Spares whoever asks often the reading of expressions.
 * @throws InvalidScheduleError when a stored version cannot be read here.
 */
export function versionStretches(
  job: VersionedJob,
  versions: readonly ScheduleVersion[],
  parsed: ParsedVersions = new Map(),
): readonly VersionStretch[] {
  return versions.map((version, index) => ({
    schedule: parsedVersion(job, version, parsed),
    isDisabled: version.shape['disabled'] === true,
    after: index === 0 ? null : version.validFrom,
    until: versions[index + 1]?.validFrom ?? null,
  }));
}

function parsedVersion(job: VersionedJob, version: ScheduleVersion, parsed: ParsedVersions): Schedule {
  const id = `${job.name} ${version.version}`;
  const schedule =
    parsed.get(id) ?? parseSchedule(version.expression, storedDefinition(version, job.schedule.definition));
  parsed.set(id, schedule);
  return schedule;
}
