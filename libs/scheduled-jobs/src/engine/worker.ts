import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';
import type { EventSink } from '../core/events/engine-event.js';
import { unstarted } from '../core/execution/attempt-record.js';
import type { Clock } from '../core/ports/clock.js';
import type { KeeperThread } from '../core/ports/keeper-thread.js';
import type { QueueStore } from '../core/ports/queue-store.js';
import type { RunTransactions } from '../core/ports/run-transactions.js';
import type { WakeUp } from '../core/ports/wake-up.js';
import type { WorkStore } from '../core/ports/work-store.js';
import { AttemptPool } from './attempt-pool.js';
import { AttemptRunner } from './attempt-runner.js';
import { BlockedLoop } from './blocked-loop.js';
import { CancelWatch } from './cancel-watch.js';
import { Finisher } from './finisher.js';
import { HandledJobs } from './handled-jobs.js';
import type { HeldExecution } from './held-execution.js';
import { LeaseKeeper } from './lease-keeper.js';
import { Loop } from './loop.js';
import { QueueGate } from './queue-gate.js';
import { jobsByName, type PayloadReader, type RegisteredJob } from './registered-job.js';
import { Rescuer } from './rescuer.js';
import { RunJournal } from './run-journal.js';
import { safeSink } from './safe-sink.js';
import { StopPatience } from './stop-patience.js';
import { UnsettledHandlers } from './unsettled-handlers.js';
import { WorkFinder, type FoundWork, type Room } from './work-finder.js';
import { createWorkerId } from './worker-id.js';
import { resolveWorkerOptions, type ResolvedWorkerOptions, type WorkerOptions } from './worker-options.js';

export interface WorkerDependencies<Tx> {
  readonly store: WorkStore;
  readonly queues: Pick<QueueStore, 'recordVerdicts'>;
  readonly transactions: RunTransactions<Tx>;
  readonly wakeUp: WakeUp;
  /** Default none: leases are renewed by the event loop alone. */
  readonly keeperThread?: KeeperThread;
  readonly jobs: readonly RegisteredJob<Tx>[];
  readonly readPayload: PayloadReader;
  readonly clock: Clock;
  readonly emit: EventSink;
}

const NO_ROOM: Room = { start: 0, take: 0 };
/** How long handlers may take to stop after the shutdown's signal; a job's shorter `abortGrace` counts. */
const GRACE = { ms: 3_000, forcedMs: 1_000 } as const;
/** How long the shutdown waits for the database to take what has ended. */
const FLUSH = { ms: 5_000, forcedMs: 1_000 } as const;

/**
 * Claims executions and runs them.
 *
 * One loop looks for work: after a hint, after a slot became free, when a delayed execution is due, and at every poll
 * interval in any case, because hints may be lost. What it claims is held by the lease keeper until its end is recorded by
 * the finisher. Each worker also is a rescuer for all workers.
 *
 * States of a worker: stopped → running → draining → stopped. Draining claims nothing, hands back what was not started,
 * waits for running handlers, then fires their signals, waits for a short grace, and hands back what still does not stop,
 * without using up an attempt. Leases are renewed all the time, and the lease keeper stops last, so that nothing is taken
 * over while it may still end well. When the database is down nothing is claimed, what runs goes on until its lease has
 * run out, and the loops ask again after growing pauses.
 */
export class Worker<Tx> {
  readonly id = createWorkerId();
  private readonly options: ResolvedWorkerOptions;
  private readonly emit: EventSink;
  /** By every name that an execution may carry. */
  private readonly jobs: ReadonlyMap<string, RegisteredJob<Tx>>;
  private readonly keeper: LeaseKeeper;
  private readonly blockedLoop: BlockedLoop;
  private readonly unsettled = new UnsettledHandlers();
  private readonly cancelWatch: CancelWatch;
  private readonly finisher: Finisher;
  private readonly journal: RunJournal;
  private readonly gate: QueueGate;
  private readonly rescuer: Rescuer;
  private readonly runner: AttemptRunner<Tx>;
  private readonly pool: AttemptPool;
  private readonly finder: WorkFinder;
  private readonly handled: HandledJobs;
  private readonly loop: Loop;
  private state: 'stopped' | 'running' | 'draining' = 'stopped';
  private stopping: Promise<void> = Promise.resolve();
  private patience = new StopPatience();
  private isHinted = false;
  private ahead: Promise<FoundWork> | null = null;

  /** @throws InvalidOptionsError */
  constructor(
    private readonly dependencies: WorkerDependencies<Tx>,
    options: WorkerOptions = {},
  ) {
    this.options = resolveWorkerOptions(options);
    const { store, clock, jobs, transactions, readPayload } = dependencies;
    const { concurrency, pollIntervalMs } = this.options;
    const emit = safeSink(dependencies.emit);
    const workerId = this.id;
    const wake = (): void => this.wake();
    const onRoom = (): void => this.loop.wake();
    this.emit = emit;
    this.jobs = jobsByName(jobs);
    const heartbeatMs = smallest(jobs, 'heartbeatMs');
    const { keeperThread: thread = null } = dependencies;
    this.blockedLoop = new BlockedLoop({ thread, clock, emit, heartbeatMs, concurrency });
    const beforeJudging = (): void => this.blockedLoop.look();
    this.keeper = new LeaseKeeper({ store, clock, emit, intervalMs: heartbeatMs, beforeJudging });
    this.cancelWatch = new CancelWatch({ store, clock, emit });
    const leaseMs = smallest(jobs, 'leaseMs');
    this.rescuer = new Rescuer({ store, clock, emit, leaseMs, pollIntervalMs, onRescued: wake });
    this.finisher = new Finisher({ store, clock, emit, workerId, onAdmitted: wake });
    this.journal = new RunJournal({ store, clock, emit });
    this.gate = new QueueGate({ store, queues: dependencies.queues, clock, emit, onRoom });
    const { finisher, journal, gate } = this;
    this.runner = new AttemptRunner({
      transactions,
      finisher,
      journal,
      clock,
      emit,
      readPayload,
      workerId,
      shutdownGraceMs: GRACE.ms,
      onRecorded: ({ claimed }, record) => gate.recorded(claimed.queue, record),
      onOver: (held) => this.drop(held),
    });
    this.pool = new AttemptPool({
      concurrency,
      monotonicMs: () => clock.monotonicMs(),
      run: (held, slotFreed) => this.run(held, slotFreed),
      release: (held) => this.release(held),
      onRoom,
    });
    const jobNames = [...this.jobs.keys()];
    const { queues, rescuer } = this;
    this.finder = new WorkFinder({ store, clock, emit, workerId, queues, jobNames, gate, rescuer });
    this.handled = new HandledJobs({ store, clock, jobNames });
    this.loop = new Loop({ service: 'worker', turn: () => this.turn(), emit });
  }

  /** The queues it claims from. */
  get queues(): readonly string[] {
    return this.options.queues ?? [...new Set(this.dependencies.jobs.map(({ definition }) => definition.queue))];
  }

  /** Handlers that have not settled, those included that nobody waits for any longer. */
  get runningCount(): number {
    return this.pool.runningCount;
  }

  /** Starts to claim. Does nothing while it runs or drains, or when it has no job. */
  start(): void {
    if (this.state !== 'stopped' || this.jobs.size === 0) return;
    this.state = 'running';
    this.patience = new StopPatience();
    this.pool.open();
    this.blockedLoop.start();
    const { keeper, cancelWatch, finisher, journal, gate, rescuer, loop } = this;
    for (const service of [keeper, cancelWatch, finisher, journal, gate, rescuer, loop]) service.start();
    this.dependencies.wakeUp.start((hint) => (hint === 'cancel' ? this.cancelWatch.wake() : this.wake()));
    const jobs = this.dependencies.jobs.map(({ definition }) => definition.name);
    this.emit({ type: 'worker.started', workerId: this.id, jobs });
  }

  /** There may be work: looks for it now, not only at the next poll. */
  wake(): void {
    this.isHinted = true;
    this.loop.wake();
  }

  /**
   * Drains: resolves when everything that ran here is recorded or handed back.
   * @param timeoutMs How long running handlers may go on. Default the option `shutdownTimeoutMs`.
   */
  stop({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<void> {
    if (this.state === 'running') {
      this.state = 'draining';
      this.stopping = this.drain(timeoutMs ?? this.options.shutdownTimeoutMs);
    }
    return this.stopping;
  }

  /**
   * Stops in a few seconds, also when it drains already: the signals of all handlers fire, and what has not settled a
   * second later is handed back as far as the database answers.
   */
  forceStop(): Promise<void> {
    this.patience.force();
    return this.stop({ timeoutMs: 0 });
  }

  private async turn(): Promise<number> {
    const { pollIntervalMs } = this.options;
    // The first of many slots that this turn of the event loop frees must not be filled alone.
    await nextTurnOfEventLoop();
    const tellInMs = await this.handled.tell();
    this.pool.releaseStale();
    const ahead = this.takeAhead();
    const found = await (ahead ?? this.find(this.pool.room));
    const room = this.finder.expectsMore ? this.pool.roomBehind(found.claimed.length) : NO_ROOM;
    if (room.take > 0) await this.findAhead(room);
    this.take(found);
    // What woke this turn may have come after the look that went ahead of it.
    if (this.ahead !== null || ahead !== null) return 0;
    const staleInMs = this.pool.staleInMs ?? pollIntervalMs;
    return Math.min(pollIntervalMs, found.nextInMs ?? pollIntervalMs, staleInMs, tellInMs);
  }

  private async find(room: Room): Promise<FoundWork> {
    if (room.take === 0) return { claimed: [], nextInMs: null };
    const limits = this.unsettled.claimLimits(this.dependencies.clock.monotonicMs());
    const { isHinted } = this;
    this.isHinted = false;
    return this.finder.find(room, limits, isHinted);
  }

  /** Looks for work while what has been found runs; the next turn takes it. Resolves when the database has been asked. */
  private async findAhead(room: Room): Promise<void> {
    this.ahead = this.find(room);
    // The turn that takes it fails; nobody listens before that.
    this.ahead.catch(() => undefined);
    // What has been found keeps the event loop once it is taken, and the database would wait for it.
    await nextTurnOfEventLoop();
  }

  private takeAhead(): Promise<FoundWork> | null {
    const { ahead } = this;
    this.ahead = null;
    return ahead;
  }

  private take({ claimed }: FoundWork): void {
    for (const held of claimed) {
      this.keeper.hold(held);
      this.cancelWatch.hold(held);
      if (this.unsettled.meets(held)) this.pool.handBack(held);
      else this.pool.take(held);
    }
  }

  /** What was found ahead is handed back by the closed pool. */
  private async stopClaims(): Promise<void> {
    await this.loop.stop();
    const late = await this.takeAhead()?.catch(() => null);
    if (late) this.take(late);
  }

  private run(held: HeldExecution, slotFreed: () => void): Promise<void> {
    const job = this.jobs.get(held.claimed.jobName);
    if (job === undefined) return this.release(held).finally(slotFreed);
    const { abortGraceMs, blockedLoopLimitMs } = job.definition;
    this.unsettled.begun(held, abortGraceMs);
    const ended = this.runner.run(held, job, () => {
      this.unsettled.settled(held);
      slotFreed();
    });
    this.blockedLoop.hold(held, blockedLoopLimitMs);
    return ended;
  }

  /** Hands an execution back that was not started; a lost one has been taken already. */
  private async release(held: HeldExecution): Promise<void> {
    const { executionId, key, jobName: job, attempt } = held.claimed;
    if (held.isLost) {
      this.emit({ type: 'lease.lost', executionId, key, job, attempt });
    } else {
      const finishedAt = held.databaseTime(this.dependencies.clock);
      const answer = await this.finisher.record(held, unstarted(held.lease, finishedAt));
      // Somebody asked to cancel it meanwhile: then it has ended instead.
      const state = answer?.disposition;
      if (state !== undefined && state !== 'released' && state !== 'retry') {
        this.emit({ type: 'execution.ended', executionId, key, job, attempt, state });
      }
    }
    this.drop(held);
  }

  private drop(held: HeldExecution): void {
    this.blockedLoop.drop(held);
    this.keeper.drop(held);
    this.cancelWatch.drop(held);
  }

  /** Every wait has its bound: a database that does not answer must not keep the process. */
  private async drain(timeoutMs: number): Promise<void> {
    const claims = Promise.all([this.stopClaims(), this.dependencies.wakeUp.stop(), this.rescuer.stop()]);
    this.pool.close();
    this.emit({ type: 'worker.draining', workerId: this.id, running: this.pool.runningCount });
    const { patience, pool } = this;
    // What a claim that is under way brings is handed back, too.
    const settled = () => Promise.all([pool.settled(), claims.then(() => pool.settled())]);
    await patience.wait(settled(), { ms: timeoutMs, forcedMs: 0 });
    this.runner.stopAll();
    await patience.wait(settled(), GRACE);
    this.runner.giveUpAll();
    await patience.wait(settled(), FLUSH);
    await patience.wait(Promise.all([this.finisher.stop(), this.journal.stop(), this.gate.stop()]), FLUSH);
    await patience.wait(Promise.all([this.keeper.stop(), this.blockedLoop.stop(), this.cancelWatch.stop()]), FLUSH);
    this.state = 'stopped';
    this.emit({ type: 'worker.stopped', workerId: this.id });
  }
}

const smallest = (jobs: readonly RegisteredJob<never>[], name: 'heartbeatMs' | 'leaseMs'): number =>
  Math.min(...jobs.map(({ definition }) => definition[name]));
