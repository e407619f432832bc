import { AsyncLocalStorage } from 'node:async_hooks';
import { ExecutionCanceledError, InvalidOptionsError, LeaseLostError, PermanentError } from '../core/errors.js';
import { replaceUnstorable } from '../core/execution/bounded-text.js';
import { redactText } from '../core/execution/redaction.js';
import { addCounts, NO_COUNTS, type Counts } from '../core/execution/counts.js';
import { isA } from '../core/execution/guarded-read.js';
import type { JobRun, RunProgress } from '../core/job/job-run.js';
import { shown } from '../core/job/option-reader.js';
import type { ItemsHandler, ItemsOptions } from '../core/job/run-items.js';
import type { CommittedWith, RunTransactions } from '../core/ports/run-transactions.js';
import type { ProgressUpdate } from '../core/ports/work-store.js';
import type { Attempt } from './attempt.js';
import { RunItemsWalk } from './run-items-walk.js';
import type { RunJournal } from './run-journal.js';
import { AttemptLog } from './run-log.js';
import { RunSteps } from './run-steps.js';

export interface JobRunContextOptions<Tx> {
  readonly attempt: Attempt;
  readonly payload: unknown;
  /** The transaction that ends with the completion; undefined unless the job is `transactional`. */
  readonly tx: Tx | undefined;
  readonly transactions: RunTransactions<Tx>;
  readonly journal: RunJournal;
}

/** What is counted inside a transaction of the run: it commits or vanishes with it. */
interface CountScope {
  readonly attempt: Attempt;
  counts: Counts;
}

const scopes = new AsyncLocalStorage<CountScope>();
const MAX_STAGE_LENGTH = 100;
const MAX_STAGE_READ = 2_000;

type ShownProgress = Pick<ProgressUpdate, 'stage' | 'percent'>;
const NO_PROGRESS: ShownProgress = { stage: null, percent: null };

/**
 * What a handler gets. Its methods are bound, because handlers take a run apart (`const { log, items } = run`), and like all
 * that many handlers never use they are made when somebody asks for them.
 *
 * A lost lease or a cancel that a transaction finds out about ends the whole attempt: the signal fires, whether or not the
 * handler lets the error pass.
 */
export class JobRunContext<Tx> implements JobRun<unknown, Tx> {
  readonly executionId: string;
  readonly key: string;
  readonly jobName: string;
  readonly period: string | null;
  readonly interval: { readonly start: Date; readonly end: Date } | null;
  readonly scheduledFor: Date;
  readonly attempt: number;
  readonly payload: unknown;
  readonly leaseToken: string;
  readonly trigger: JobRun['trigger'];
  readonly traceParent: string | null;
  readonly idempotencyKey: string;
  readonly manager: Tx | undefined;

  private attemptLog: AttemptLog | null = null;
  private runSteps: RunSteps<Tx> | null = null;
  private walking: Set<string> | null = null;
  private shownProgress = NO_PROGRESS;
  private readonly current: Attempt;
  private readonly transactions: RunTransactions<Tx>;
  private readonly journal: RunJournal;

  constructor({ attempt, payload, tx, transactions, journal }: JobRunContextOptions<Tx>) {
    const { claimed } = attempt.held;
    this.current = attempt;
    this.transactions = transactions;
    this.journal = journal;
    this.executionId = claimed.executionId;
    this.key = claimed.key;
    this.jobName = claimed.jobName;
    this.period = claimed.period;
    this.interval = claimed.interval;
    this.scheduledFor = claimed.scheduledFor;
    this.attempt = claimed.attempt;
    this.payload = payload;
    this.leaseToken = claimed.leaseToken;
    this.trigger = claimed.trigger;
    this.traceParent = claimed.traceParent;
    this.idempotencyKey = claimed.key;
    this.manager = tx;
  }

  get signal(): AbortSignal {
    return this.current.signal;
  }

  get log(): AttemptLog {
    const { current: attempt, journal } = this;
    this.attemptLog ??= new AttemptLog({
      lease: attempt.held.lease,
      now: () => attempt.now(),
      append: (line) => {
        attempt.hasTold = true;
        journal.append(line);
      },
    });
    return this.attemptLog;
  }

  get step(): RunSteps<Tx>['step'] {
    return this.steps.step;
  }

  get stepInTransaction(): RunSteps<Tx>['stepInTransaction'] {
    return this.steps.stepInTransaction;
  }

  private get steps(): RunSteps<Tx> {
    const { current: attempt, transactions } = this;
    this.runSteps ??= new RunSteps<Tx>({
      lease: { ...attempt.held.lease, key: this.key },
      signal: this.signal,
      store: transactions.steps,
      now: () => attempt.now(),
      watched: (statement) => this.watched(statement),
      transaction: (work) => this.transaction(work),
    });
    return this.runSteps;
  }

  get progress() {
    return (progress: RunProgress): void => this.show(progress);
  }

  get count() {
    return (counts: Partial<Counts>): void => this.add(counts);
  }

  /** A transactional job has one transaction already, and everything goes into it. */
  get transaction() {
    return <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      this.manager === undefined
        ? this.commit(work, () => ({ counts: NO_COUNTS, checkpoint: null, failedItem: null }))
        : work(this.manager);
  }

  get items() {
    return <T>(options: ItemsOptions<T, Tx>, handler: ItemsHandler<T, Tx>): Promise<Counts> =>
      this.walk(options, handler);
  }

  private show({ stage, percent }: RunProgress): void {
    const { current: attempt, journal } = this;
    this.shownProgress = {
      stage: typeof stage === 'string' ? stageText(stage) : this.shownProgress.stage,
      percent: Number.isFinite(percent) ? shownPercent(percent as number) : this.shownProgress.percent,
    };
    attempt.hasTold = true;
    journal.show({ ...attempt.held.lease, ...this.shownProgress });
  }

  private add(counts: Partial<Counts>): void {
    const problems = (['processed', 'failed', 'skipped'] as const)
      .filter((name) => counts[name] !== undefined && !isCount(counts[name]))
      .map((name) => `run.count: ${name} must be a whole number from 0 on, got ${shown(counts[name])}`);
    if (problems.length > 0) throw new InvalidOptionsError(problems);
    const scope = scopes.getStore();
    if (scope === undefined || scope.attempt !== this.current) this.current.count(counts);
    else scope.counts = addCounts(scope.counts, counts);
  }

  private async walk<T>(options: ItemsOptions<T, Tx>, handler: ItemsHandler<T, Tx>): Promise<Counts> {
    if (this.manager !== undefined) {
      throw new PermanentError(
        `The job "${this.jobName}" is transactional, so its one transaction cannot be cut into chunks: leave out either run.items or transactional.`,
      );
    }
    const { current: attempt, transactions } = this;
    const walk = new RunItemsWalk<T, Tx>(options, handler, {
      executionId: this.executionId,
      signal: this.signal,
      keys: transactions.itemKeys,
      checkpoint: (name) => this.watched(() => transactions.checkpoint(attempt.held.lease, name)),
      commit: (work, committedWith) => this.commit(work, committedWith),
    });
    const { counts, failures } = await this.alone(walk.name, () => walk.walk());
    attempt.itemFailures += failures;
    return counts;
  }

  /** Two walks of one name at once would handle the same items and each move the other's checkpoint. */
  private async alone<T>(name: string, walk: () => Promise<T>): Promise<T> {
    const walking = (this.walking ??= new Set());
    if (walking.has(name)) {
      throw new PermanentError(
        `The items "${name}" are walked already by this run: wait for it, or give each its name.`,
      );
    }
    walking.add(name);
    return walk().finally(() => walking.delete(name));
  }

  private commit<T>(work: (tx: Tx) => Promise<T>, committedWith: (value: T) => CommittedWith): Promise<T> {
    const { current: attempt, transactions } = this;
    if (attempt.held.isLost || attempt.stopCause === 'cancel') this.signal.throwIfAborted();
    const scope: CountScope = { attempt, counts: NO_COUNTS };
    const { claimed, lease } = attempt.held;
    return this.watched(() =>
      transactions.run(
        { ...lease, key: claimed.key, leaseMs: claimed.leaseMs, signal: this.signal },
        (tx) => scopes.run(scope, () => work(tx)),
        (value) => {
          const also = committedWith(value);
          return { ...also, counts: addCounts(scope.counts, also.counts) };
        },
      ),
    );
  }

  private async watched<T>(statement: () => Promise<T>): Promise<T> {
    const { current: attempt } = this;
    try {
      return await statement();
    } catch (error) {
      if (isOwn(error, LeaseLostError, this.key)) attempt.held.lose();
      if (isOwn(error, ExecutionCanceledError, this.key)) attempt.held.requestCancel();
      throw error;
    }
  }
}

/** A run inside a run must not end the outer one. */
const isOwn = (error: unknown, kind: typeof LeaseLostError | typeof ExecutionCanceledError, key: string): boolean =>
  isA<LeaseLostError | ExecutionCanceledError>(error, kind) && error.key === key;

/** Two places; PostgreSQL refuses numbers that are too small for its type. */
const shownPercent = (percent: number): number => Math.round(Math.min(Math.max(percent, 0), 100) * 100) / 100;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Without secrets, as everything that people are shown. They are looked for before the cut, which would hide their ends. */
function stageText(stage: string): string {
  const shown = redactText(stage.slice(0, MAX_STAGE_READ)).slice(0, MAX_STAGE_LENGTH);
  return replaceUnstorable(shown.replace(/[\uD800-\uDBFF]$/, ''));
}
