import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { parseDuration, type Duration } from '../core/duration.js';
import type { AttemptOutcome } from '../core/execution/execution-state.js';
import { InvalidOptionsError, InvalidRequestError } from '../core/errors.js';
import { shown } from '../core/job/option-reader.js';
import type { ExecutionDetail } from '../core/ports/ledger-reader.js';
import type { TickSummary } from '../core/ports/schedule-store.js';
import { EngineEvents } from '../nest/services/engine-events.js';
import { JobCatalog } from '../nest/jobs/job-catalog.js';
import { JobHandlerDecorator } from '../nest/jobs/job-handler-decorator.js';
import { JobsClient } from '../nest/client/jobs-client.js';
import type { ResolvedModuleOptions } from '../nest/options/module-options.js';
import { Scheduler } from '../nest/services/scheduler.js';
import { CLOCK, DATA_SOURCE, MODULE_OPTIONS, STORES } from '../nest/tokens.js';
import { Worker } from '../nest/services/worker.js';
import type { Stores } from '../postgres/create-stores.js';
import { TestLedger, type DueExecution } from '../postgres/test-ledger.js';
import { LedgerExpectationError, ledgerDifferences, type ExpectedExecution } from './ledger-differences.js';
import { ScriptedFailures } from './scripted-failures.js';
import { SettableClock } from './settable-clock.js';

/** One call of a handler that a test has let happen. */
export interface AttemptReport {
  readonly key: string;
  readonly job: string;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** What was thrown; null = nothing. */
  readonly error: unknown;
}

const LOOK_AGAIN_MS = 10;
const NAMED_DUE = 10;
const MAX_EXECUTIONS = 1_000;
const MAX_TIMES = 1_000;

/**
 * Drives the jobs of an application in a test: nothing ticks, claims or cleans up by itself, and facts go by a clock that
 * the test sets. Get it from an application that imports `JobsTestModule`.
 */
@Injectable()
export class JobsTestKit {
  private readonly testLedger: TestLedger;

  constructor(
    /** The time that the jobs live in. */
    @Inject(CLOCK) readonly clock: SettableClock,
    @Inject(JobHandlerDecorator) private readonly failures: ScriptedFailures,
    private readonly catalog: JobCatalog,
    private readonly client: JobsClient,
    private readonly scheduler: Scheduler,
    private readonly worker: Worker,
    private readonly events: EngineEvents,
    @Inject(STORES) private readonly stores: Stores,
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(DATA_SOURCE) dataSource: DataSource,
  ) {
    this.testLedger = new TestLedger(dataSource, options.schema);
  }

  /**
   * Records the periods that are due, as a scheduler would; runs nothing.
   * @returns What was done; null = no job has a schedule.
   */
  tick(): Promise<TickSummary | null> {
    return this.scheduler.runOnce();
  }

  /**
   * Records the periods that are due and runs everything that may run now, what it enqueues included, until nothing is due:
   * a retry that waits for its backoff stays until the clock has come so far.
   * @param options `within`: how long that may take in real time. Default `10s`.
   * @returns The calls of handlers, in the order of their ends.
   * @throws InvalidOptionsError when `within` is no duration; Error that names what is still due when it takes longer.
   */
  async runDue({ within = '10s' }: { readonly within?: Duration } = {}): Promise<readonly AttemptReport[]> {
    const withinMs = parseDuration(within);
    if (withinMs === null)
      throw new InvalidOptionsError([`within must be a duration such as "10s", got ${shown(within)}`]);
    const reports: AttemptReport[] = [];
    const unsubscribe = this.events.subscribe((event) => {
      if (event.type !== 'attempt.finished') return;
      const { key, job, attempt, outcome, error } = event;
      reports.push({ key, job, attempt, outcome, error });
    });
    await this.tick();
    this.worker.start();
    try {
      await this.untilNothingIsDue(performance.now() + withinMs);
    } finally {
      await this.worker.stop({ timeoutMs: 0 });
      unsubscribe();
    }
    return reports;
  }

  /**
   * Lets the next attempts of a job fail with an error, without its handler being called. Calls add up, in their order.
   * @param options `times`: how many attempts, 1 … 1,000, default 1.
   * @throws UnknownJobError; InvalidOptionsError for another `times`.
   */
  fail(job: string, error: unknown, { times = 1 }: { readonly times?: number } = {}): void {
    this.catalog.get(job);
    if (!Number.isInteger(times) || times < 1 || times > MAX_TIMES) {
      throw new InvalidOptionsError([`times must be a whole number from 1 to ${MAX_TIMES}, got ${shown(times)}`]);
    }
    this.failures.add(job, error, times);
  }

  /** Every execution of the ledger, oldest first. @throws InvalidOptionsError when there are more than 1,000. */
  async ledger(): Promise<readonly ExecutionDetail[]> {
    const keys: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await this.client.find({ limit: 200, ...(cursor !== undefined && { cursor }) });
      keys.push(...page.items.map(({ executionId }) => executionId));
      cursor = page.nextCursor;
      if (keys.length > MAX_EXECUTIONS) {
        throw new InvalidOptionsError([`the ledger has more than ${MAX_EXECUTIONS} executions: too many to compare`]);
      }
    }
    const details = await Promise.all(keys.toReversed().map((id) => this.client.get(id)));
    return details.filter((detail) => detail !== null);
  }

  /**
   * Compares the whole ledger with what a test expects: the executions are these, and no others, in any order.
   * @throws LedgerExpectationError that lists every difference.
   */
  async expectLedger(expected: readonly ExpectedExecution[]): Promise<void> {
    const differences = ledgerDifferences(expected, await this.ledger());
    if (differences.length > 0) throw new LedgerExpectationError(differences);
  }

  /**
   * Begins anew, between two tests: the ledger is empty, the schedules begin at the clock's time, no failure is scripted.
   * @param at Where the clock begins. Default where it stands.
   * @param options `force`: also a ledger that applications outside of tests have used. Default false.
   * @throws InvalidRequestError when such an application has noted itself in the ledger; nothing is removed then.
   */
  async reset(at: Date | string = this.clock.now, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    if (!force) await this.refuseUsedLedger();
    this.clock.restart(at);
    this.failures.clear();
    await this.testLedger.clear();
    await this.stores.schedules.register(this.catalog.definitions(), this.clock.now, this.options.release);
    await this.stores.queues.configure(this.options.queueLimits);
  }

  /** An application under test never notes that it is alive: whoever has done so is one that people rely on. */
  private async refuseUsedLedger(): Promise<void> {
    const [last] = await this.stores.instances.list();
    if (last === undefined) return;
    const { instanceId, seenAt } = last;
    throw new InvalidRequestError('empty the ledger for a test', [
      `an application that is no test has used the schema "${this.options.schema}" of this database, at ${seenAt.toISOString()} as ${instanceId}. Give the tests a database or a schema of their own, or say reset(at, { force: true })`,
    ]);
  }

  private async untilNothingIsDue(deadlineMs: number): Promise<void> {
    for (;;) {
      const due = await this.due();
      if (due.length === 0) return;
      if (due.every(({ isWaiting }) => isWaiting)) {
        await this.stores.work.admit(await this.testLedger.waitingKeys(), this.clock.now);
      }
      if (performance.now() > deadlineMs) {
        throw new Error(
          `There still is due work: ${due.map(({ key, isRunning }) => `"${key}"${isRunning ? ' runs' : ''}`).join(', ')}. A handler does not end, something is enqueued again and again, or "within" is too short.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  /** What a queue does not let through now is not due. */
  private async due(): Promise<readonly DueExecution[]> {
    const jobNames = [...this.catalog.entries().keys()];
    const look = () => this.testLedger.due(jobNames, this.clock.now, NAMED_DUE);
    const due = await look();
    if (due.length === 0) return due;
    const queues = [...new Set(due.map(({ queue }) => queue))];
    const { gates } = await this.stores.work.look(queues, this.clock.now);
    const closed = new Set(gates.filter(({ opensInMs }) => opensInMs !== 0).map(({ queue }) => queue));
    const open = due.filter(({ queue, isRunning }) => isRunning || !closed.has(queue));
    if (open.length > 0) return open;
    // A claim between the two statements may be what has closed a queue.
    const now = await look();
    return isDeepStrictEqual(now, due) ? [] : now;
  }
}
