import { ExecutionCanceledError, PayloadInvalidError } from '../core/errors.js';
import type { EventSink } from '../core/events/engine-event.js';
import type { AttemptError, AttemptRecord, RecordedAttempt } from '../core/execution/attempt-record.js';
import type { AttemptOutcome } from '../core/execution/execution-state.js';
import { isA } from '../core/execution/guarded-read.js';
import { judgeError } from '../core/execution/judge-error.js';
import { TRANSIENT, type Judgement } from '../core/execution/judgement.js';
import { storeResult } from '../core/execution/result.js';
import { settle } from '../core/execution/settlement.js';
import { storeError } from '../core/execution/stored-error.js';
import type { Clock } from '../core/ports/clock.js';
import type { RunTransactions } from '../core/ports/run-transactions.js';
import { AttemptTimeouts } from './attempt-timeouts.js';
import { Attempt } from './attempt.js';
import { ChurnMap } from './churn-map.js';
import { enterRun, followRuns } from './current-run.js';
import { EndedAttempt } from './ended-attempt.js';
import type { Finisher } from './finisher.js';
import type { HeldExecution } from './held-execution.js';
import { JobRunContext } from './job-run-context.js';
import type { PayloadReader, RegisteredJob } from './registered-job.js';
import type { RunJournal } from './run-journal.js';

export interface AttemptRunnerDependencies<Tx> {
  readonly transactions: RunTransactions<Tx>;
  readonly finisher: Finisher;
  readonly journal: RunJournal;
  readonly clock: Clock;
  readonly emit: EventSink;
  readonly readPayload: PayloadReader;
  readonly workerId: string;
  readonly shutdownGraceMs: number;
  /** The ledger has taken the end of an attempt. */
  readonly onRecorded: (held: HeldExecution, record: AttemptRecord) => void;
  /** The end of an attempt is recorded or given up: its lease is of no use any more. */
  readonly onOver: (held: HeldExecution) => void;
}

/** How the handler's side of an attempt ended. */
type Ending =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** Its transaction has recorded the completion already. */
  | { readonly kind: 'recorded'; readonly record: AttemptRecord; readonly answer: RecordedAttempt }
  | { readonly kind: 'given-up' };

const GIVEN_UP: Ending = { kind: 'given-up' };
/** Rolls a transactional attempt back whose ending is not a success. */
const ROLL_BACK = Symbol('roll back');
/** How long the log lines of an attempt may hold up its record. */
const LOG_PATIENCE_MS = 1_000;

/**
 * Makes one attempt: open it, read the payload, call the handler, settle, record, tell. The promise of `run` resolves when
 * the end is recorded or given up, and never rejects; `slotFreed` is called when the handler has settled, which is
 * later when it does not stop in time.
 */
export class AttemptRunner<Tx> {
  private readonly going = new ChurnMap<Attempt>();
  private readonly timeouts: AttemptTimeouts;

  constructor(private readonly dependencies: AttemptRunnerDependencies<Tx>) {
    this.timeouts = new AttemptTimeouts(this.going, dependencies.clock);
    followRuns();
  }

  run(held: HeldExecution, job: RegisteredJob<Tx>, slotFreed: () => void): Promise<void> {
    const attempt = this.open(held, job);
    return this.conclude(attempt, attempt.ending(this.invoke(attempt, job), slotFreed));
  }

  /** Asks all handlers to stop, because the process shuts down. */
  stopAll(): void {
    for (const attempt of this.going.values()) attempt.stop('shutdown');
  }

  /** Waits for no handler any longer, whatever grace it may have. */
  giveUpAll(): void {
    for (const attempt of this.going.values()) attempt.cutShort();
  }

  private open(held: HeldExecution, { definition }: RegisteredJob<Tx>): Attempt {
    const { clock, shutdownGraceMs, emit } = this.dependencies;
    const attempt = new Attempt({ held, definition, clock, shutdownGraceMs });
    this.going.set(held.no, attempt);
    const startDelayMs = attempt.startedAt.getTime() - held.claimed.scheduledFor.getTime();
    const { executionId, key, jobName: job, attempt: attemptNo } = held.claimed;
    emit({ type: 'attempt.started', executionId, key, job, attempt: attemptNo, startDelayMs });
    attempt.begin();
    this.timeouts.watch(attempt);
    return attempt;
  }

  private invoke(attempt: Attempt, job: RegisteredJob<Tx>): Promise<Ending> {
    return job.definition.transactional ? this.callInTransaction(attempt, job) : this.call(attempt, job, undefined);
  }

  private async call(attempt: Attempt, { handler }: RegisteredJob<Tx>, tx: Tx | undefined): Promise<Ending> {
    const { transactions, journal } = this.dependencies;
    try {
      // Also when it is there at once: the lease must be shared before the handler can block the event loop.
      const payload = await this.payloadOf(attempt);
      if (attempt.isAborted) attempt.signal.throwIfAborted();
      const run = new JobRunContext<Tx>({ attempt, payload, tx, transactions, journal });
      enterRun(run);
      return { kind: 'returned', value: await handler(run) };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }

  private payloadOf({ key, definition, held }: Attempt): unknown {
    try {
      const payload = this.dependencies.readPayload(definition, held.claimed.payload);
      return payload instanceof Promise ? payload.catch((cause: unknown) => refusePayload(key, cause)) : payload;
    } catch (cause) {
      return refusePayload(key, cause);
    }
  }

  /** The handler and the completion in one transaction; every other ending rolls back and is recorded outside of it. */
  private async callInTransaction(attempt: Attempt, job: RegisteredJob<Tx>): Promise<Ending> {
    const { transactions, journal, workerId } = this.dependencies;
    const { held } = attempt;
    let ending = GIVEN_UP;
    let record: AttemptRecord | undefined;
    const { leaseMs } = held.claimed;
    const lease = { ...held.lease, key: attempt.key, leaseMs, signal: attempt.signal };
    try {
      const answer = await transactions.runAndFinish(
        lease,
        async (tx) => {
          ending = await this.call(attempt, job, tx);
          if (ending.kind === 'threw') throw ending.error;
          if (ending.kind !== 'returned' || attempt.isAborted) throw ROLL_BACK;
          // The lines need a connection beside this one, which a pool of one does not have.
          if (attempt.hasTold) await journal.close(held.lease, { withinMs: Math.min(LOG_PATIENCE_MS, leaseMs / 10) });
          held.isEnding = true;
          record = this.record(attempt, ending);
          return record;
        },
        workerId,
      );
      return record === undefined ? ending : { kind: 'recorded', record, answer };
    } catch (error) {
      held.isEnding = false;
      return this.rolledBack(attempt, ending, error);
    }
  }

  private rolledBack(attempt: Attempt, ending: Ending, error: unknown): Ending {
    if (error === ROLL_BACK || (ending.kind === 'threw' && ending.error === error)) return ending;
    if (!isA(error, ExecutionCanceledError)) return { kind: 'threw', error };
    attempt.held.requestCancel();
    return ending.kind === 'given-up' ? { kind: 'threw', error } : ending;
  }

  private async conclude(attempt: Attempt, handled: Promise<Ending | null>): Promise<void> {
    const ending = (await handled) ?? GIVEN_UP;
    const { held } = attempt;
    const { emit, finisher, journal } = this.dependencies;
    attempt.end();
    try {
      if (ending.kind === 'recorded') this.tell(attempt, ending, ending.record, ending.answer);
      else if (held.isLost) this.tellLost(attempt);
      else {
        const record = this.record(attempt, ending);
        if (attempt.hasTold) await journal.close(held.lease, { withinMs: LOG_PATIENCE_MS });
        const answer = await finisher.record(held, record);
        if (answer === null) this.tellLost(attempt);
        else this.tell(attempt, ending, record, answer);
      }
    } catch (error) {
      // A defect of our own ends with the lease, not with the worker.
      emit({ type: 'service.failed', service: 'attempt-runner', error, retryInMs: held.claimed.leaseMs });
    }
    this.going.delete(held.no);
    this.dependencies.onOver(held);
  }

  private record(attempt: Attempt, ending: Exclude<Ending, { readonly kind: 'recorded' }>): AttemptRecord {
    const { definition, held, stopCause, itemFailures } = attempt;
    const { attempt: attemptNo, maxAttempts, deadlineAt } = held.claimed;
    const finishedAt = attempt.now();
    if (ending.kind === 'given-up') {
      this.dependencies.emit({ type: 'attempt.abandoned', ...identity(held), abortGraceMs: attempt.grantedMs });
    }
    const failure = this.judge(attempt, ending);
    const settlement = settle({
      failure,
      stopCause,
      itemFailures,
      attempt: attemptNo,
      maxAttempts,
      retry: definition.retry,
      deadlineAt,
      now: finishedAt,
      random: Math.random(),
    });
    const result = storeResult(ending.kind === 'returned' ? ending.value : undefined);
    const error = attemptErrorOf(attempt, ending, { outcome: settlement.outcome, failure });
    return new EndedAttempt(attempt, settlement, { finishedAt, result, error });
  }

  private judge({ definition, stopCause }: Attempt, ending: Ending): Judgement | null {
    // What a handler throws because it was asked to stop says nothing.
    if (ending.kind !== 'threw' || stopCause !== null) return null;
    const { judgement, complaint } = judgeError(ending.error, definition.classify);
    if (complaint !== null) {
      const message = `classify of the job "${definition.name}" ${complaint}. The default is used instead.`;
      this.dependencies.emit({ type: 'configuration.warned', message });
    }
    return judgement;
  }

  private tellLost(attempt: Attempt): void {
    const { emit } = this.dependencies;
    const about = identity(attempt.held);
    emit({ type: 'lease.lost', ...about });
    const { durationMs } = attempt;
    emit({ type: 'attempt.finished', ...about, outcome: 'lost', durationMs, error: null, errorKind: null });
  }

  private tell(attempt: Attempt, ending: Ending, record: AttemptRecord, { disposition }: RecordedAttempt): void {
    const { emit } = this.dependencies;
    const { outcome, runAt } = record;
    // Literals, not copies of one: two of these events for each attempt.
    const { executionId, key, jobName: job, attempt: no } = attempt.held.claimed;
    this.dependencies.onRecorded(attempt.held, record);
    if (outcome !== null) {
      const durationMs = record.finishedAt.getTime() - attempt.startedAt.getTime();
      const error = ending.kind === 'threw' ? ending.error : reasonOf(attempt, outcome);
      const errorKind = record.error?.kind ?? null;
      emit({ type: 'attempt.finished', executionId, key, job, attempt: no, outcome, durationMs, error, errorKind });
    }
    if (disposition === 'retry') emit({ type: 'execution.retrying', executionId, key, job, attempt: no, runAt });
    else if (disposition !== 'released') {
      emit({ type: 'execution.ended', executionId, key, job, attempt: no, state: disposition });
    }
  }
}

const identity = ({ claimed }: HeldExecution) => ({
  executionId: claimed.executionId,
  key: claimed.key,
  job: claimed.jobName,
  attempt: claimed.attempt,
});

function refusePayload(key: string, cause: unknown): never {
  throw new PayloadInvalidError(key, { cause });
}

/** A timeout is an error of its own, whatever the handler made of it; cancel and shutdown are none. */
function attemptErrorOf(
  attempt: Attempt,
  ending: Ending,
  { outcome, failure }: { readonly outcome: AttemptOutcome; readonly failure: Judgement | null },
): AttemptError | null {
  if (outcome === 'timed_out') return { ...storeError(attempt.signal.reason), kind: TRANSIENT.kind };
  if (ending.kind !== 'threw' || failure === null) return null;
  return { ...storeError(ending.error), kind: failure.kind };
}

const reasonOf = (attempt: Attempt, outcome: AttemptOutcome): unknown =>
  outcome === 'timed_out' ? attempt.signal.reason : null;
