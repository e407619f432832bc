import type { CheckedJob } from './check-jobs.js';

/** How long the newest attempts of a job took. */
export interface AttemptDurations {
  readonly jobName: string;
  /** How many were looked at. */
  readonly attempts: number;
  /** 95 of 100 took at most so long, milliseconds. */
  readonly p95Ms: number;
}

/** Whether runs of a job are likely to meet. */
export interface OverlapRisk extends Omit<AttemptDurations, 'jobName'> {
  /** Between two fires, milliseconds. */
  readonly shortestDistanceMs: number;
  /** The 95th percentile is longer than the shortest distance. */
  readonly isRisk: boolean;
}

/** Compares what a job's attempts took with the distance between its fires; null when either is not known. */
export function overlapRisk({ schedule }: CheckedJob, durations: AttemptDurations | undefined): OverlapRisk | null {
  const shortestDistanceMs = schedule?.shortestDistanceMs ?? null;
  if (durations === undefined || shortestDistanceMs === null) return null;
  const { attempts, p95Ms } = durations;
  return { attempts, p95Ms, shortestDistanceMs, isRisk: p95Ms > shortestDistanceMs };
}
