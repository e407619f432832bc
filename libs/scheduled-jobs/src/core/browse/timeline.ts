import type { AuditAction } from '../execution/audit-action.js';
import type { AttemptOutcome, FinalState, Trigger } from '../execution/execution-state.js';
import { isFinal } from '../execution/execution-state.js';
import type { AuditEntry } from '../ports/audit-log.js';
import type { AttemptDetail, ExecutionDetail, StepDetail } from '../ports/ledger-reader.js';

/** What happened to an execution at one moment; `text` says it to people. */
export type TimelineFact = { readonly at: Date; readonly text: string } & (
  | { readonly kind: 'created'; readonly trigger: Trigger; readonly actor: string | null }
  | { readonly kind: 'due' }
  | { readonly kind: 'attempt-started'; readonly attempt: number; readonly workerId: string | null }
  | {
      readonly kind: 'attempt-finished';
      readonly attempt: number;
      readonly workerId: string | null;
      readonly outcome: AttemptOutcome;
      readonly durationMs: number;
    }
  | { readonly kind: 'step'; readonly stepName: string; readonly durationMs: number }
  | {
      readonly kind: 'operation';
      readonly action: AuditAction;
      readonly actor: string | null;
      readonly reason: string | null;
    }
  | { readonly kind: 'ended'; readonly state: FinalState; readonly reason: string | null }
);

/** The facts of one execution in order. */
export interface Timeline {
  readonly items: readonly TimelineFact[];
  /** There are more than 200 attempts, steps or operations, and not all of them are shown. */
  readonly capped: boolean;
}

/** What a timeline is made from. */
export interface TimelineInput {
  readonly execution: ExecutionDetail;
  readonly attempts: readonly AttemptDetail[];
  readonly steps: readonly StepDetail[];
  readonly operations: readonly AuditEntry[];
}

const LINE_LENGTH = 300;
/** Of what happened at the same moment, the cause comes first. */
const ORDER = ['created', 'due', 'operation', 'attempt-started', 'step', 'attempt-finished', 'ended'] as const;

/** What happened to an execution, oldest first. */
export function timelineOf({ execution, attempts, steps, operations }: TimelineInput): readonly TimelineFact[] {
  const facts = [
    created(execution),
    { kind: 'due', at: execution.scheduledFor, text: 'It is due.' } as const,
    ...attempts.flatMap(attemptFacts),
    ...current(execution, attempts),
    ...steps.map(stepFact),
    ...operations.map(operationFact),
    ...ended(execution),
  ];
  return facts.toSorted((a, b) => a.at.getTime() - b.at.getTime() || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

const MADE: Readonly<Record<Trigger, string>> = {
  schedule: 'Made by a tick',
  backfill: 'Made by a backfill',
  trigger: 'Triggered',
  enqueue: 'Enqueued',
};

const created = ({ createdAt: at, trigger, actor }: ExecutionDetail): TimelineFact => ({
  kind: 'created',
  at,
  text: `${MADE[trigger]}${actor === null ? '' : ` by ${actor}`}.`,
  trigger,
  actor,
});

const started = (at: Date, attempt: number, workerId: string | null): TimelineFact => ({
  kind: 'attempt-started',
  at,
  text: `Attempt ${attempt} starts${onWorker(workerId)}.`,
  attempt,
  workerId,
});

function attemptFacts(call: AttemptDetail): readonly TimelineFact[] {
  const { attempt, workerId, startedAt, finishedAt, durationMs, outcome, error } = call;
  const why = error === null ? '' : `: ${[error.errorClass, firstLine(error.message)].filter(Boolean).join(': ')}`;
  const text = `Attempt ${attempt} ends ${words(outcome)} after ${durationMs} ms${why}.`;
  return [
    started(startedAt, attempt, workerId),
    { kind: 'attempt-finished', at: finishedAt, text, attempt, workerId, outcome, durationMs },
  ];
}

/** The call that goes on is no attempt on record yet. */
function current(execution: ExecutionDetail, attempts: readonly AttemptDetail[]): readonly TimelineFact[] {
  const { state, startedAt, workerId, leaseToken } = execution;
  if (state !== 'running' || startedAt === null) return [];
  if (attempts.some((attempt) => attempt.leaseToken === leaseToken)) return [];
  return [started(startedAt, execution.attempts, workerId)];
}

const stepFact = ({ stepName, finishedAt, durationMs }: StepDetail): TimelineFact => ({
  kind: 'step',
  at: finishedAt,
  text: `Step "${stepName}" is done after ${durationMs} ms.`,
  stepName,
  durationMs,
});

const DONE: Readonly<Partial<Record<AuditAction, string>>> = {
  cancel: 'asks to cancel it',
  replay: 'replays it',
  'replay-many': 'replays it with others',
  acknowledge: 'acknowledges the failure',
  trigger: 'triggers it',
};

/** Nobody asked for it: a newer execution of its job has taken its place. */
const isReplaced = (details: unknown): boolean =>
  typeof details === 'object' && details !== null && 'replacedBy' in details;

const operationFact = ({ at, action, actor, reason, details }: AuditEntry): TimelineFact => ({
  kind: 'operation',
  at,
  text: isReplaced(details)
    ? `It is asked to stop: ${reason ?? ''}.`
    : `${actor ?? 'Somebody'} ${DONE[action] ?? words(action)}${reason === null ? '' : `: ${reason}`}.`,
  action,
  actor,
  reason,
});

function ended({ state, reason, finishedAt: at, blockedByKey }: ExecutionDetail): readonly TimelineFact[] {
  if (!isFinal(state) || at === null) return [];
  const blocker = blockedByKey === null ? '' : ` ${reason === 'superseded' ? 'by' : 'with'} "${blockedByKey}"`;
  const text = `It is ${words(state)}${reason === null ? '' : ` (${reason}${blocker})`}.`;
  return [{ kind: 'ended', at, text, state, reason }];
}

const words = (name: string): string => name.replaceAll(/[_-]/g, ' ');

const onWorker = (workerId: string | null): string => (workerId === null ? '' : ` on ${workerId}`);

const firstLine = (text: string | null): string => (text ?? '').split('\n', 1)[0]?.slice(0, LINE_LENGTH) ?? '';
