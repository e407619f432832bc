import { signal } from '@preact/signals';
import type { Schedule } from '../api/answers.js';
import { stored, store } from '../shell/preferences.js';
import { isKnownZone } from './instant-text.js';

/** On whose clock times are shown. */
export const ZONE_CHOICES = ['utc', 'local', 'job'] as const;
export type ZoneChoice = (typeof ZONE_CHOICES)[number];

export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const zoneChoice = signal<ZoneChoice>(stored('zone', ZONE_CHOICES, 'utc'));

/** The zones of scheduled jobs, by name of the job. */
const jobZones = signal<ReadonlyMap<string, string>>(new Map());

export function chooseZone(choice: ZoneChoice): void {
  zoneChoice.value = choice;
  store('zone', choice);
}

export function noteSchedules(schedules: readonly Schedule[]): void {
  jobZones.value = new Map(schedules.map(({ jobName, timeZone }) => [jobName, timeZone]));
}

/** The zone in which to show a time of this job; UTC for one without a schedule, and where no job is meant. */
export function zoneFor(job: string | null): string {
  if (zoneChoice.value === 'local') return LOCAL_ZONE;
  const zone = zoneChoice.value === 'job' && job !== null ? jobZones.value.get(job) : undefined;
  return zone !== undefined && isKnownZone(zone) ? zone : 'UTC';
}
