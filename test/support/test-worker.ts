import type { EntityManager } from 'typeorm';
import type { FinalState } from '../../libs/scheduled-jobs/src/core/execution/execution-state.js';
import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import type { JobRun } from '../../libs/scheduled-jobs/src/core/job/job-run.js';
import type { PayloadReader } from '../../libs/scheduled-jobs/src/engine/registered-job.js';
import { SYSTEM_CLOCK } from '../../libs/scheduled-jobs/src/core/system-clock.js';
import { Worker } from '../../libs/scheduled-jobs/src/engine/worker.js';
import type { WorkerOptions } from '../../libs/scheduled-jobs/src/engine/worker-options.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { backgroundJob, EventRecorder, eventually, scheduledJob } from './engine.js';
import { newExecution, type TestLedger } from './ledger.js';

export type Run = JobRun<unknown, EntityManager>;
export type Handler = (run: Run) => unknown;

/** A handler, or a handler with options of `@BackgroundJob`, or of `@ScheduledJob` where there is a `cron`. */
export type TestJob =
  Handler | ({ readonly handler: Handler; readonly cron?: string } & Readonly<Record<string, unknown>>);

export interface TestWorkerOptions extends WorkerOptions {
  readonly stores?: Stores;
  readonly readPayload?: PayloadReader;
}

export interface EndedExecution {
  readonly state: FinalState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly result: unknown;
  readonly result_note: string | null;
  readonly error_class: string | null;
  readonly error_code: string | null;
}

/** A worker over a real ledger, with jobs by name. Leases last a second, retries come after 10 ms. */
export class TestWorker {
  readonly recorder = new EventRecorder();
  readonly worker: Worker<EntityManager>;
  private readonly definitions;

  constructor(
    private readonly ledger: TestLedger,
    jobs: Readonly<Record<string, TestJob>>,
    { stores = ledger.stores, readPayload = (_, payload) => payload, ...options }: TestWorkerOptions = {},
  ) {
    const registered = Object.entries(jobs).map(([name, job]) => {
      const { handler, cron, ...parts } = typeof job === 'function' ? { handler: job, cron: undefined } : job;
      const options = { name, lease: '1s', retry: { backoff: ['10ms'] }, ...parts };
      return { definition: cron === undefined ? backgroundJob(options) : scheduledJob(cron, options), handler };
    });
    this.definitions = new Map(registered.map(({ definition }) => [definition.name, definition]));
    const { work: store, queues, transactions, wakeUp, keeperThread } = stores;
    const clock = SYSTEM_CLOCK;
    const emit = this.recorder.emit;
    this.worker = new Worker<EntityManager>(
      { store, queues, transactions, wakeUp, keeperThread, jobs: registered, readPayload, clock, emit },
      { pollIntervalMs: 30, ...options },
    );
  }

  async start(): Promise<this> {
    await this.ledger.stores.schedules.register([...this.definitions.values()], null);
    this.worker.start();
    return this;
  }

  stop(options?: { readonly timeoutMs?: number }): Promise<void> {
    return this.worker.stop(options);
  }

  /** Inserts executions of a job with its options; gives their ids. */
  async enqueue(jobName: string, ...executions: Partial<NewExecution>[]): Promise<readonly string[]> {
    const { queue, priority, retry, leaseMs } = this.definitions.get(jobName)!;
    const { maxAttempts, deadlineMs } = retry;
    const own = { jobName, queue, priority, maxAttempts, leaseMs, deadlineMs };
    const all = (executions.length === 0 ? [{}] : executions).map((execution) =>
      newExecution({ ...own, ...execution }),
    );
    const inserted = await this.ledger.stores.executions.insert(all, { tx: null, now: null });
    return inserted.map(({ executionId }) => executionId);
  }

  /** How an execution ended, once it has. */
  ended(executionId: string, withinMs = 10_000): Promise<EndedExecution> {
    const statement = `
      select state, reason, attempts, result, result_note, error_class, error_code from outcomes where execution_id = $1`;
    return eventually(async () => (await this.ledger.sql<EndedExecution>(statement, [executionId]))[0], {
      withinMs,
      what: `the end of execution ${executionId}`,
    });
  }

  /** Enqueues one execution and waits for its end. */
  async run(jobName: string, execution: Partial<NewExecution> = {}): Promise<EndedExecution & { readonly id: string }> {
    const [id] = await this.enqueue(jobName, execution);
    return { ...(await this.ended(id!)), id: id! };
  }

  attempts(executionId: string): Promise<{ outcome: string; attempt: number; error_message: string | null }[]> {
    return this.ledger.sql(
      'select outcome, attempt, error_message from attempts where execution_id = $1 order by lease_token',
      [executionId],
    );
  }
}
