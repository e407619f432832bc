import type { Occurrence } from '../calendar/schedule.js';
import type { ExecutionState } from '../execution/execution-state.js';
import { executionKey } from '../job/execution-key.js';
import type { JobDefinition } from '../job/job-definition.js';
import type { PeriodReader, RecordedPeriod, ScheduleStanding } from '../ports/period-reader.js';
import { graceMsOf } from '../schedule/grace.js';
import { earlierNamesOf } from '../schedule/period-lookup.js';

/**
 * How a period stands: as its execution does, or
 * - `missing`: the schedule has passed it and the ledger knows nothing of it, which is a defect;
 * - `overdue`: a tick should have recorded it by now;
 * - `not-due`: its time is to come, or has just come;
 * - `skipped-range`: it was left out with others, `reason` says why;
 * - `suspended`: it was due while the schedule stands still, `reason` says why; what becomes of it is decided later;
 * - `pruned`: it was executed, and retention has removed the execution.
 */
export type PeriodState = ExecutionState | 'missing' | 'overdue' | 'not-due' | 'skipped-range' | 'suspended' | 'pruned';

/** One nominal period of a schedule. */
export interface PeriodCell {
  readonly period: string;
  readonly scheduledFor: Date;
  readonly state: PeriodState;
  readonly reason: string | null;
  /** Null = it has no execution; also below. */
  readonly key: string | null;
  readonly executionId: string | null;
  readonly attempts: number;
  readonly durationMs: number | null;
}

/** What the cells of one schedule are made from. */
export interface CellInput {
  readonly standing: ScheduleStanding;
  readonly occurrences: readonly Occurrence[];
  /** Of this application; undefined = another one has the job. */
  readonly definition: JobDefinition | undefined;
}

type FoundPeriod = RecordedPeriod & { readonly key: string };

/**
 * The cells of several schedules, in their order, looked up together. Before a schedule's first version only what was
 * executed all the same is a period.
 */
export async function periodCells(
  inputs: readonly CellInput[],
  ofKeys: (keys: readonly string[]) => ReturnType<PeriodReader['ofKeys']>,
): Promise<readonly (readonly PeriodCell[])[]> {
  const lookups = inputs.map((input) => candidateKeys(input));
  const records = await ofKeys(lookups.flat(2));
  let next = 0;
  return inputs.map((input, index) =>
    input.occurrences.flatMap((occurrence, place) => {
      const keys = lookups[index]?.[place] ?? [];
      const answers = keys.map((key, offset) => ({ ...absent, ...records[next + offset], key }));
      next += keys.length;
      return cellOf(occurrence, input, answers.find(({ executionId }) => executionId !== null) ?? null) ?? [];
    }),
  );
}

const absent: RecordedPeriod = { executionId: null, state: null, reason: null, attempts: 0, durationMs: null };

/** The keys under which a period may be on record, its own first: as long as an earlier name was the job's, under that. */
function candidateKeys({ standing, occurrences, definition }: CellInput): readonly (readonly string[])[] {
  const earlier = earlierNamesOf({ aliases: definition?.aliases ?? [] }, standing);
  const names = [{ name: standing.jobName, until: null }, ...earlier];
  return occurrences.map(({ period, scheduledFor }) =>
    names.filter(({ until }) => until === null || scheduledFor <= until).map(({ name }) => executionKey(name, period)),
  );
}

function cellOf({ period, scheduledFor }: Occurrence, input: CellInput, found: FoundPeriod | null): PeriodCell | null {
  const { standing } = input;
  if (found !== null) {
    const { key, executionId, state, reason, attempts, durationMs } = found;
    return { period, scheduledFor, state: state ?? 'pruned', reason, key, executionId, attempts, durationMs };
  }
  const first = standing.versions[0]?.validFrom ?? standing.cursorAt;
  if (scheduledFor <= first) return null;
  const { state, reason } = unrecorded(scheduledFor, input);
  return { period, scheduledFor, state, reason, key: null, executionId: null, attempts: 0, durationMs: null };
}

function unrecorded(at: Date, { standing, definition }: CellInput): Pick<PeriodCell, 'state' | 'reason'> {
  const { cursorAt, skippedRanges, suspension, now } = standing;
  const range = skippedRanges.find(({ from, to }) => from <= at && at <= to);
  if (range !== undefined) return { state: 'skipped-range', reason: range.reason };
  if (at <= cursorAt) return { state: 'missing', reason: null };
  if (at > now) return { state: 'not-due', reason: null };
  if (suspension !== null && at > suspension.from) return { state: 'suspended', reason: suspension.kind };
  const isLate = at.getTime() < now.getTime() - graceMsOf(definition);
  return { state: isLate ? 'overdue' : 'not-due', reason: null };
}
