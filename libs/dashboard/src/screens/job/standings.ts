import type { Job, Schedule } from '../../api/answers.js';
import type { Mark } from '../../ui/state-text.js';

/** One way in which a job stands, such as paused or without a worker. */
export interface Standing {
  readonly mark: Mark;
  readonly text: string;
  /** Since when; null = that is not known, or says nothing. */
  readonly since: string | null;
  /** Who, why, and what follows. */
  readonly note: string;
}

type JobFacts = Pick<Job, 'paused' | 'handled' | 'unhandledSince' | 'renamedTo'>;
type ScheduleFacts = Pick<Schedule, 'disabled' | 'suspension' | 'lastError' | 'behindMs' | 'nextAt'>;

/** Schedulers look every half minute or more often: what is due for longer than this lies there because none does. */
const BEHIND_AFTER_MS = 60_000;

/** How a job stands, what keeps it from work first; never empty. `schedule` null = a background job, or not known yet. */
export function standingsOf(job: JobFacts, schedule: ScheduleFacts | null): readonly [Standing, ...Standing[]] {
  const found = [...ofJob(job), ...(schedule === null ? [] : ofSchedule(schedule))];
  const [first, ...others] = found;
  if (first !== undefined) return [first, ...others];
  return [standing('good', 'Ready', 'Workers execute it as it becomes due.')];
}

function ofJob({ paused, handled, unhandledSince, renamedTo }: JobFacts): readonly Standing[] {
  const found: Standing[] = [];
  if (renamedTo !== null) found.push(standing('unknown', 'Renamed', `It goes on as ${renamedTo}.`));
  if (paused !== null) {
    const { since, actor, reason } = paused;
    found.push(standing('paused', 'Paused', `by ${actor ?? 'somebody'}${reason === null ? '' : `: ${reason}`}`, since));
  }
  if (!handled) {
    const note = 'No live worker has its handler. Its executions wait.';
    found.push(standing('attention', 'Not handled', note, unhandledSince));
  }
  return found;
}

function ofSchedule({ disabled, suspension, lastError, behindMs, nextAt }: ScheduleFacts): readonly Standing[] {
  const found: Standing[] = [];
  if (disabled) found.push(standing('unknown', 'Disabled', 'Its code says so. No period becomes an execution.'));
  if (suspension?.kind === 'orphaned') {
    const note = 'No live instance has its schedule. No period becomes an execution.';
    found.push(standing('attention', 'Orphaned', note, suspension.from));
  }
  if (lastError !== null) found.push(standing('failed', 'Schedule fails', lastError));
  else if (nextAt !== null && (behindMs ?? 0) > BEHIND_AFTER_MS) {
    found.push(standing('overdue', 'Behind', 'A period is due, and no scheduler has made its execution.'));
  }
  return found;
}

const standing = (mark: Mark, text: string, note: string, since: string | null = null): Standing => ({
  mark,
  text,
  note,
  since,
});
