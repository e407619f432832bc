import { cutText } from '../../core/execution/bounded-text.js';
import type { AttemptOutcome } from '../../core/execution/execution-state.js';
import { jobOfGroup } from '../../core/job/concurrency-key.js';
import type { Explanation, Standing } from '../../core/ports/ledger-reader.js';
import { acknowledged, canceledBy } from './execution-view.js';
import type { ExplanationRow } from '../statements/explain-execution.sql.js';
import { gatedSentence, gatedStanding } from './gated-standing.js';

type StandingOf<Kind extends Standing['kind']> = Extract<Standing, { readonly kind: Kind }>;

const MAX_MESSAGE_BYTES = 500;
const UNSERVED = ' No running worker seems to serve its queue and to handle its job.';

/** Why an execution is not running, or what it does, from what the ledger knows of it. */
export function explain(row: ExplanationRow): Explanation {
  const standing =
    endedStanding(row) ??
    leasedStanding(row) ??
    pausedStanding(row) ??
    notDueStanding(row) ??
    unhandledStanding(row) ??
    openStanding(row);
  return { executionId: row.id, key: row.key, standing, text: sentence(standing) };
}

function endedStanding(row: ExplanationRow): Standing | null {
  const { state, reason, finished_at: finishedAt, attempts } = row;
  if (state === null || finishedAt === null) return null;
  return {
    kind: 'ended',
    state,
    reason,
    finishedAt,
    attempts: attempts ?? 0,
    failedItems: row.failed_items ?? 0,
    blockedBy: row.blocked_by,
    ...errorOf(row),
    canceledBackfill: canceledBackfill(row),
    canceledBy: state === 'canceled' ? canceledBy(row) : null,
    acknowledged: acknowledged(row),
  };
}

/** What was canceled after a failed attempt did not end because of that failure. */
function errorOf(row: ExplanationRow) {
  if (row.state !== 'failed') return { errorClass: null, errorCode: null, errorMessage: null };
  const [firstLine] = row.error_message?.split('\n', 1) ?? [];
  return {
    errorClass: row.error_class,
    errorCode: row.error_code,
    errorMessage: firstLine === undefined ? null : cutText(firstLine, MAX_MESSAGE_BYTES),
  };
}

function canceledBackfill(row: ExplanationRow): StandingOf<'ended'>['canceledBackfill'] {
  const { backfill_id: backfillId, backfill_canceled_by: actor, backfill_cancel_reason: reason } = row;
  return backfillId === null || row.canceled_by_at !== null ? null : { backfillId, actor, reason };
}

function leasedStanding(row: ExplanationRow): Standing | null {
  const { phase, worker_id: workerId, lease_until: leaseUntil, started_at: since } = row;
  if (phase !== 'leased' || workerId === null || leaseUntil === null) return null;
  if (since === null) return { kind: 'claimed', workerId, leaseUntil };
  return { kind: 'running', workerId, since, cancelRequested: row.cancel_requested === true };
}

function pausedStanding({
  paused_at: since,
  pause_actor: actor,
  pause_reason: reason,
}: ExplanationRow): Standing | null {
  return since === null ? null : { kind: 'paused', since, actor, reason };
}

function unhandledStanding({ job_name: jobName, unhandled_since: since }: ExplanationRow): Standing | null {
  return since === null ? null : { kind: 'unhandled', jobName, since };
}

function openStanding(row: ExplanationRow): Standing {
  const { concurrency_key: concurrencyKey, unserved } = row;
  const served = { unserved: unserved === true };
  if (concurrencyKey !== null && row.slot === null) {
    const ahead = row.before_in_group ?? 0;
    return { kind: 'waiting-for-slot', concurrencyKey, heldBy: row.held_by ?? [], ahead, ...served };
  }
  return gatedStanding(row) ?? { kind: 'queued', queue: row.queue, ahead: row.ahead ?? 0, ...served };
}

function notDueStanding(row: ExplanationRow): Standing | null {
  const { run_at: at } = row;
  if (row.phase !== 'delayed' || row.is_due !== false || at === null) return null;
  const { last_outcome: after, attempt, max_attempts: maxAttempts } = row;
  if (row.retrying !== true || after === null) return { kind: 'not-due', until: at };
  return { kind: 'retrying', at, attempt: (attempt ?? 0) + 1, maxAttempts: maxAttempts ?? 0, after };
}

function sentence(standing: Standing): string {
  switch (standing.kind) {
    case 'not-due':
      return `It may not run before ${standing.until.toISOString()}.`;
    case 'retrying':
      return retryingSentence(standing);
    case 'waiting-for-slot':
      return waitingSentence(standing) + (standing.unserved ? UNSERVED : '');
    case 'queued':
      return queuedSentence(standing) + (standing.unserved ? UNSERVED : '');
    case 'queue-paused':
    case 'queue-full':
    case 'rate-limited':
    case 'breaker-open':
      return gatedSentence(standing);
    case 'paused':
      return pausedSentence(standing);
    case 'unhandled':
      return `No live worker handles the job "${standing.jobName}"; the last one was seen at ${standing.since.toISOString()}. It waits until one does.`;
    case 'claimed':
      return `The worker ${standing.workerId} has claimed it and has not started it yet; its lease runs until ${standing.leaseUntil.toISOString()}.`;
    case 'running':
      return `It has been running on the worker ${standing.workerId} since ${standing.since.toISOString()}${standing.cancelRequested ? ' and was asked to stop' : ''}.`;
    case 'ended':
      return endedSentence(standing);
  }
}

const WHAT_HAPPENED: Readonly<Partial<Record<AttemptOutcome, string>>> = {
  failed: 'It failed and is tried again',
  timed_out: 'It ran into its timeout and is tried again',
  deferred: 'Its handler asked to be called again later; that happens',
};

function retryingSentence({ after, at, attempt, maxAttempts }: StandingOf<'retrying'>): string {
  const happened = WHAT_HAPPENED[after] ?? `Its last attempt ended ${after}, and it runs again`;
  return `${happened} at ${at.toISOString()} (attempt ${attempt} of ${maxAttempts}).`;
}

function waitingSentence({ concurrencyKey, heldBy, ahead }: StandingOf<'waiting-for-slot'>): string {
  const job = jobOfGroup(concurrencyKey);
  if (ahead === 0)
    return `It waits to be admitted under "${concurrencyKey}", which happens at the next poll of a worker.`;
  const group = job === null ? `with the concurrency key "${concurrencyKey}"` : `of "${job}"`;
  const holders = heldBy.length === 0 ? '' : `; first ${heldBy.map((key) => `"${key}"`).join(', ')}`;
  return `It waits for ${ahead} earlier ${ahead === 1 ? 'execution' : 'executions'} ${group}${holders}.`;
}

function queuedSentence({ queue, ahead, unserved }: StandingOf<'queued'>): string {
  if (ahead > 0) return `It waits in the queue "${queue}" behind ${ahead} other(s).`;
  const next = `It is the next one in the queue "${queue}".`;
  return unserved ? next : `${next} If it stays there, no running worker serves this queue and handles its job.`;
}

function pausedSentence({ since, actor, reason }: StandingOf<'paused'>): string {
  const by = actor === null ? '' : ` by ${actor}`;
  const because = reason === null ? '' : ` (${reason})`;
  return `Its job has been paused${by} since ${since.toISOString()}${because}. It waits until the job is resumed.`;
}

function endedSentence({
  state,
  finishedAt,
  reason,
  attempts,
  failedItems,
  blockedBy,
  canceledBackfill: backfill,
  canceledBy: cancel,
  acknowledged: known,
  ...error
}: StandingOf<'ended'>): string {
  const at = finishedAt.toISOString();
  if (backfill !== null) return `It was canceled with backfill ${backfill.backfillId}${byWhom(backfill, at)}`;
  if (cancel !== null) return `It was canceled${byWhom(cancel, at)}`;
  const tries = state === 'failed' ? ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}` : '';
  const because = reason === null ? '' : becauseOf(reason, blockedBy);
  const acknowledgement = known === null ? '' : ` ${known.actor ?? 'Somebody'} has acknowledged it.`;
  const items = state === 'completed_with_errors' ? ` with ${failedItems} failed item(s)` : '';
  return `It ended ${state} at ${at}${tries}${because}${items}${withError(error)}.${acknowledgement}`;
}

function becauseOf(reason: string, blockedBy: string | null): string {
  if (blockedBy === null) return ` because of ${reason}`;
  return reason === 'superseded' ? ` because "${blockedBy}" replaced it` : ` because of ${reason} with "${blockedBy}"`;
}

function byWhom(
  { actor, reason }: { readonly actor: string | null; readonly reason: string | null },
  at: string,
): string {
  return `${actor === null ? '' : ` by ${actor}`} at ${at}${reason === null ? '.' : `: ${reason}`}`;
}

function withError({
  errorClass,
  errorCode,
  errorMessage,
}: Pick<StandingOf<'ended'>, 'errorClass' | 'errorCode' | 'errorMessage'>): string {
  if (errorClass === null) return errorCode === null ? '' : ` with ${errorCode}`;
  return errorMessage === null ? ` with ${errorClass}` : ` with ${errorClass}: ${errorMessage}`;
}
