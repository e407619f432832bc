import type { PeriodCell, PeriodState } from '../../api/answers.js';
import { durationText } from '../../time/duration-text.js';
import { stateText, type Mark } from '../../ui/state-text.js';

interface OwnState {
  readonly mark: Mark;
  /** Short, for legends. */
  readonly text: string;
  /** What it means, where the word alone does not say it. */
  readonly meaning: string;
}

/** The states of periods that are no states of executions. */
const OWN: Readonly<Partial<Record<PeriodState, OwnState>>> = {
  missing: { mark: 'missing', text: 'Missing', meaning: 'the schedule has passed it and nothing is recorded' },
  overdue: { mark: 'overdue', text: 'Overdue', meaning: 'no tick has recorded it yet' },
  'not-due': { mark: 'not-due', text: 'Not due yet', meaning: '' },
  'skipped-range': { mark: 'skipped', text: 'Left out', meaning: 'in a skipped range' },
  suspended: { mark: 'paused', text: 'Suspended', meaning: 'what becomes of it is decided when the schedule goes on' },
  pruned: { mark: 'unknown', text: 'Pruned', meaning: 'it was executed, and retention has removed the execution' },
};

/** What is drawn for a period. */
export const markOf = (state: PeriodState): Mark => OWN[state]?.mark ?? (state as Mark);

export const periodStateText = (state: PeriodState): string =>
  OWN[state]?.text ?? stateText(state as Parameters<typeof stateText>[0]);

/** All that is known of a period, in a line; `when` is its nominal time on some clock, `subject` the job where it is not clear. */
export function cellText(cell: PeriodCell, when: string, subject: string | null = null): string {
  const { period, state, reason, attempts, durationMs } = cell;
  const meaning = OWN[state]?.meaning ?? '';
  const facts = [
    `${periodStateText(state)}${reason === null ? '' : ` (${reason})`}${meaning === '' ? '' : `: ${meaning}`}`,
    attempts > 1 ? `${attempts} attempts` : null,
    durationMs === null ? null : durationText(durationMs),
    `for ${when}`,
  ];
  return `${subject === null ? '' : `${subject} `}${period} · ${facts.filter((fact) => fact !== null).join(' · ')}`;
}

/** A job's own function may give labels that only look like days. */
function isDay(label: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(label) ? new Date(label) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(label);
}

/** Whether periods are days; without any it is not known. */
export const areDays = (cells: readonly PeriodCell[]): boolean =>
  cells.length > 0 && cells.every(({ period }) => isDay(period));

/** How many periods have each state, those that ask for attention first. */
export function stateCounts(cells: readonly PeriodCell[]): readonly (readonly [PeriodState, number])[] {
  const counts = new Map<PeriodState, number>();
  for (const { state } of cells) counts.set(state, (counts.get(state) ?? 0) + 1);
  return ORDER.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as const];
  });
}

const ORDER: readonly PeriodState[] = [
  'missing',
  'overdue',
  'failed',
  'completed_with_errors',
  'retrying',
  'running',
  'pending',
  'succeeded',
  'canceled',
  'skipped',
  'skipped-range',
  'suspended',
  'pruned',
  'not-due',
];
