import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Occurrence } from '../../core/calendar/schedule.js';
import { InvalidPayloadError, InvalidQueryError, JobPausedError } from '../../core/errors.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type { Backfill, BackfillQuery, CanceledBackfill } from '../../core/ports/backfill-store.js';
import type { Instance } from '../../core/ports/instance-store.js';
import type { Page } from '../../core/ports/ledger-reader.js';
import type { PauseResult } from '../../core/ports/suspension-store.js';
import type { Completeness } from '../../core/schedule/ledger-completeness.js';
import type { Stores } from '../../postgres/create-stores.js';
import type { BackfillOptions, BackfillPreview, BackfillResult } from './backfill-request.js';
import { Backfills } from './backfills.js';
import { CompletenessCheck, type CompletenessOptions } from './completeness-check.js';
import { executedEarlier, underAllNames } from './earlier-names.js';
import type {
  EnqueueItem,
  EnqueueManyResult,
  EnqueueOptions,
  EnqueueResult,
  TriggerOptions,
} from './enqueue-options.js';
import { Enqueuer } from './enqueuer.js';
import { ExecutionsClient } from './executions-client.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import { OperatorActions } from './operator-actions.js';
import { operatorRequest, type OperatorOptions } from './operator-options.js';
import { refuseOverlap } from './refuse-overlap.js';
import { Queues, type QueueView } from './queues.js';
import { resumeRequest, type ResumeOptions } from './resume-request.js';
import { STORES } from '../tokens.js';
import { triggeredExecution, triggerRequest } from './trigger-request.js';

/** How the application asks for executions, looks at them and acts on them. Jobs are given by name. */
@Injectable()
export class JobsClient extends ExecutionsClient {
  constructor(
    private readonly catalog: JobCatalog,
    private readonly enqueuer: Enqueuer,
    @Inject(STORES) stores: Stores,
    private readonly backfills: Backfills,
    private readonly completenessCheck: CompletenessCheck,
    private readonly queueControl: Queues,
    actions: OperatorActions,
  ) {
    super(stores, actions);
  }

  /**
   * Adds one execution of a background job. With `manager` it is added in the caller's transaction: it exists exactly if
   * that transaction commits.
   * @throws UnknownJobError, and InvalidPayloadError with every problem of payload and options, before anything is
   * written; DuplicateExecutionError when the key was used before and the job's `duplicates` is `reject`;
   * StoreUnavailableError when the database cannot be reached.
   */
  async enqueue(job: string, payload?: unknown, options: EnqueueOptions = {}): Promise<EnqueueResult> {
    const definition = this.background(job);
    const { manager, ...item } = options;
    const execution = await this.enqueuer.check(definition, { ...item, payload }, 'enqueue');
    return this.enqueuer.insert(definition, execution, manager);
  }

  /**
   * Adds up to 100,000 executions of a background job in one transaction, the caller's when `manager` is given: all or
   * none. Executions of one call may start in any order.
   * @throws as `enqueue`; InvalidPayloadError lists the problems of the first items that have any.
   */
  async enqueueMany(
    job: string,
    items: readonly EnqueueItem[],
    options: { readonly manager?: EntityManager } = {},
  ): Promise<EnqueueManyResult> {
    const definition = this.background(job);
    const problems: string[] = [];
    new OptionReader(options, '', problems).allowOnly(['manager']);
    if (problems.length > 0) throw new InvalidPayloadError(job, problems);
    const executions = await this.enqueuer.checkAll(definition, items);
    return this.enqueuer.insertAll(definition, executions, options.manager);
  }

  /**
   * Adds one execution by hand: of a scheduled job's period, which is the very execution that a tick would have made, or
   * beside all periods, with the key `job:manual:…`.
   * @throws UnknownJobError; InvalidRequestError with every problem of the options, and InvalidPayloadError with every
   * problem of the payload, before anything is written; JobPausedError while the job is paused, unless `force` is true;
   * OverlapError when the job has `overlap: 'skip'` and what has not ended leaves no room, whatever `force` says; as `enqueue`
   * otherwise.
   */
  async trigger(job: string, options: TriggerOptions = {}): Promise<EnqueueResult> {
    const definition = this.catalog.get(job);
    const request = triggerRequest(definition, options, this.stores.clock);
    const ordinary = await this.enqueuer.check(definition, { payload: options.payload }, 'trigger');
    const execution = triggeredExecution(definition, options, { ordinary, clock: this.stores.clock });
    const pause = options.force === true ? null : await this.stores.suspensions.findPause(job);
    if (pause !== null) throw new JobPausedError(job, pause.from, pause.reason);
    const earlier = await executedEarlier(definition, execution.period, this.stores);
    if (earlier !== null) return earlier;
    await refuseOverlap(definition, execution, this.stores);
    return this.enqueuer.insertTriggered(definition, execution, request);
  }

  /**
   * Lets a job rest from now on, in all processes: workers claim none of its executions, ticks make none for the periods
   * that follow. Running executions finish, waiting ones wait. Safe to call twice: the first one stays on record, and `at`
   * is its time.
   * @throws UnknownJobError; InvalidRequestError with every problem.
   */
  async pause(job: string, options: OperatorOptions): Promise<PauseResult> {
    const definition = this.catalog.get(job);
    const request = operatorRequest(`pause "${job}"`, options, this.stores.clock);
    return underAllNames(definition, (name) => this.stores.suspensions.pause(name, request));
  }

  /**
   * Ends the pause of a job. The periods since its beginning are left out, as one skipped range with the actor of the
   * pause, or given to the catch-up policy. Safe to call twice: where there is no pause nothing is changed, and `at` is the
   * present.
   * @throws UnknownJobError; InvalidRequestError with every problem.
   */
  async resume(job: string, options: ResumeOptions): Promise<PauseResult> {
    const definition = this.catalog.get(job);
    const request = resumeRequest(definition, options, this.stores.clock);
    return underAllNames(definition, (name) => this.stores.suspensions.resume(name, request));
  }

  /**
   * Lets a queue rest from now on, in all processes: workers claim nothing from it with their next look. Running executions
   * finish, waiting ones wait. Safe to call twice: the first one stays on record, and `at` is its time.
   * @throws InvalidRequestError with every problem, also when nothing uses such a queue.
   */
  pauseQueue(queue: string, options: OperatorOptions): Promise<PauseResult> {
    return this.queueControl.pause(queue, options);
  }

  /**
   * Ends the pause of a queue. Safe to call twice: where there is no pause nothing is changed, and `at` is the present.
   * @throws as `pauseQueue`.
   */
  resumeQueue(queue: string, options: OperatorOptions): Promise<PauseResult> {
    return this.queueControl.resume(queue, options);
  }

  /**
   * The queues that jobs of this application use, that are limited or paused, or that have ready or running executions, by
   * name: at most 1,000, each counted up to 10,000 executions.
   */
  queues(): Promise<readonly QueueView[]> {
    return this.queueControl.list();
  }

  /**
   * The next occurrences of a scheduled job, by this process's clock; `count` is 1 … 1,000, default 10.
   * @throws UnknownJobError; InvalidQueryError for a background job or another count.
   */
  preview(job: string, count = 10): readonly Occurrence[] {
    const { schedule } = this.catalog.get(job);
    if (schedule === null) throw new InvalidQueryError([`"${job}" is a background job: it has no schedule`]);
    if (!Number.isInteger(count) || count < 1 || count > 1_000) {
      throw new InvalidQueryError([`count must be a whole number from 1 to 1000, got ${String(count)}`]);
    }
    return schedule.schedule.occurrences({ after: this.stores.clock.boundNow() ?? new Date(), limit: count });
  }

  /**
   * Executes the periods of a scheduled job in a range of the past, at most 100,000: those that ticks would have made, with
   * the same keys, one at a time (`concurrency` at a time), after the job's other executions. A period that was executed
   * before is not executed again, so that it may be repeated; a range without periods gives `occurrences: 0`. With `dryRun`
   * nothing is written.
   * @throws UnknownJobError; InvalidRequestError with every problem, before anything is written.
   */
  backfill(job: string, options: BackfillOptions & { readonly dryRun: true }): Promise<BackfillPreview>;
  backfill(job: string, options: BackfillOptions & { readonly dryRun?: false }): Promise<BackfillResult>;
  backfill(job: string, options: BackfillOptions): Promise<BackfillPreview | BackfillResult>;
  backfill(job: string, options: BackfillOptions): Promise<BackfillPreview | BackfillResult> {
    return this.backfills.start(job, options);
  }

  /**
   * A backfill and how far it has come. An execution tells the id of the backfill that made it, as `backfillId`.
   * @throws BackfillNotFoundError
   */
  getBackfill(backfillId: string): Promise<Backfill> {
    return this.backfills.get(backfillId);
  }

  /**
   * One page of backfills, newest first. It counts the executions of each by state, 100,000 in all: behind that a page ends
   * early. By the states `open` and `done` it looks at 200 backfills: it may be short, or empty, and have a next one.
   * @throws InvalidQueryError when a filter, the limit or the cursor cannot work, or a filter does not exist.
   */
  listBackfills(query: BackfillQuery = {}): Promise<Page<Backfill>> {
    return this.stores.backfills.list(query);
  }

  /**
   * Cancels what has not started of a backfill; running executions go on to their end. A canceled period keeps its key, so
   * no later backfill or trigger executes it: `pause` the job for what shall run later. Safe to call twice.
   * @throws BackfillNotFoundError; InvalidRequestError with every problem.
   */
  cancelBackfill(backfillId: string, options: OperatorOptions): Promise<CanceledBackfill> {
    return this.backfills.cancel(backfillId, options);
  }

  /**
   * Whether the ledger accounts for every period of its schedules up to their cursors, and how many are overdue behind
   * them. It reads a key per period: ask for one job, or seldom.
   * @throws InvalidQueryError; UnknownJobError when neither the ledger nor this application knows the job.
   */
  completeness(options: CompletenessOptions = {}): Promise<Completeness> {
    return this.completenessCheck.run(options);
  }

  /**
   * The processes that were seen within the last day, the last seen first, at most 1,000. One that lives says so about every
   * 30 s, and one that closes says that, too: `seenAt` tells which have gone without a word.
   */
  instances(): Promise<readonly Instance[]> {
    return this.stores.instances.list();
  }

  private background(job: string): JobDefinition {
    const definition = this.catalog.get(job);
    if (definition.schedule === null) return definition;
    throw new InvalidPayloadError(job, ['it is a scheduled job, whose executions are made by ticks. Use trigger()']);
  }
}
