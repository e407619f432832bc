import type { JobDefinition } from '../job/job-definition.js';
import type { ScheduleVersion } from '../ports/schedule-store.js';
import { lacksFunctions } from './stored-definition.js';
import { versionStretches, type VersionedJob } from './version-stretches.js';
import { VersionedSchedule, type OccurrenceSource } from './versioned-schedule.js';

/** A schedule as it is stored: all its versions, in order. */
interface StoredSchedule {
  readonly jobName: string;
  readonly versions: readonly ScheduleVersion[];
}

/**
 * The occurrences of all stored versions of a schedule, with the functions of the code at hand.
 *
 * @param definition Undefined = another application has the job.
 * @throws TypeError when its periods are named by a function that is elsewhere; InvalidScheduleError when a version cannot be
 * read here.
 */
export function storedOccurrences(stored: StoredSchedule, definition: JobDefinition | undefined): OccurrenceSource {
  const job = versionedJob(stored, definition);
  if (stored.versions.some((version) => lacksFunctions(version, job.schedule.definition))) {
    throw new TypeError('Its periods were named by a function that this application does not have.');
  }
  return new VersionedSchedule(versionStretches(job, stored.versions));
}

/** What names the periods. Whether one is excluded does not matter: it is on record all the same. */
function versionedJob({ jobName, versions }: StoredSchedule, definition: JobDefinition | undefined): VersionedJob {
  const code = definition?.schedule?.definition ?? { timeZone: versions.at(-1)?.timeZone ?? 'UTC' };
  return { name: jobName, schedule: { definition: { ...code, exclude: () => false } } };
}
