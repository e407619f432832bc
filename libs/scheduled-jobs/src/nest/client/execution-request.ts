import { encodePayload } from '../../core/execution/payload.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import type { Trigger } from '../../core/execution/execution-state.js';
import { thrownText } from '../../core/execution/stored-error.js';
import { concurrencyKeyOf } from '../../core/job/concurrency-key.js';
import { executionKey, JOB_NAME, keyProblem } from '../../core/job/execution-key.js';
import type { JobDefinition, PayloadClass } from '../../core/job/job-definition.js';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import { quieten } from '../../core/quieten.js';
import { validateAs } from '../jobs/class-validation.js';
import type { EnqueueItem } from './enqueue-options.js';

const MIN_RUN_AT_MS = Date.UTC(2000, 0, 1);
const MAX_RUN_AT_MS = Date.UTC(9999, 0, 1);

/** What is asked for, checked: an execution to insert, or why it cannot be. */
export type CheckedExecution =
  | { readonly execution: NewExecution; readonly problems: readonly [] }
  | { readonly execution: null; readonly problems: readonly string[] };

interface ReadPayload {
  /** JSON text; null = none. */
  readonly json: string | null;
  readonly value: unknown;
}

/** Checks everything about an execution that code hands in, before anything is written. */
export class ExecutionRequest {
  private readonly problems: string[] = [];

  constructor(
    private readonly job: JobDefinition,
    private readonly item: EnqueueItem,
    private readonly warn: (message: string) => void,
  ) {}

  /** Answers at once unless the job has a payload class: a promise each makes a thousand executions slow. */
  check(trigger: Trigger): CheckedExecution | Promise<CheckedExecution> {
    const { job, problems } = this;
    if (job.disabled) problems.push('the job is disabled');
    const reader = new OptionReader(this.item, '', problems);
    reader.allowOnly(['payload', 'key', 'runAt', 'priority', 'queue']);
    const payload = this.readPayload();
    return payload instanceof Promise
      ? payload.then((read) => this.checked(trigger, reader, read))
      : this.checked(trigger, reader, payload);
  }

  private checked(trigger: Trigger, reader: OptionReader, payload: ReadPayload | null): CheckedExecution {
    const { job, problems } = this;
    const key = this.readKey(payload);
    const execution: NewExecution = {
      jobName: job.name,
      key: key === null ? null : executionKey(job.name, key),
      period: null,
      interval: null,
      scheduledFor: this.readRunAt(),
      runAt: null,
      queue: reader.text('queue', job.queue, JOB_NAME),
      priority: reader.integer('priority', job.priority, { min: -1_000, max: 1_000 }),
      payload: payload?.json ?? null,
      concurrencyKey: payload === null ? null : concurrencyKeyOf(job, payload.value, this.warn),
      maxAttempts: job.retry.maxAttempts,
      leaseMs: job.leaseMs,
      deadlineMs: job.retry.deadlineMs,
      trigger,
      actor: null,
      traceParent: null,
      skip: null,
    };
    return problems.length === 0 ? { execution, problems: [] } : { execution: null, problems };
  }

  /**
   * The payload as it is stored and as the handler will see it; null = it is refused. The rules are applied to the latter:
   * what passes only as it was handed in, such as a Date, would fail later.
   */
  private readPayload(): ReadPayload | null | Promise<ReadPayload | null> {
    const { json, problems } = encodePayload(this.item.payload);
    this.problems.push(...problems);
    if (problems.length > 0) return null;
    const { payload: type, key, concurrencyKey } = this.job;
    const isRead = type !== null || key !== null || concurrencyKey !== null;
    const stored: unknown = json === null || !isRead ? null : JSON.parse(json);
    return type === null ? { json, value: stored } : this.validated(type, json, stored);
  }

  private async validated(type: PayloadClass, json: string | null, stored: unknown): Promise<ReadPayload | null> {
    const validated = await validateAs(type, stored, 'refuse');
    this.problems.push(...validated.problems.map((problem) => `payload: ${problem}`));
    return validated.value === null ? null : { json, value: validated.value };
  }

  private readKey(payload: ReadPayload | null): string | null {
    const key = this.item.key ?? (payload === null ? null : this.madeKey(payload.value));
    const problem = key === null ? null : keyProblem(key);
    if (problem !== null) this.problems.push(problem);
    return problem === null ? key : null;
  }

  private madeKey(payload: unknown): string | null {
    if (this.job.key === null) return null;
    try {
      // A job that makes keys relies on them: without one, a repeated enqueue would run twice.
      const key: unknown = this.job.key(payload);
      if (typeof key === 'string') return key;
      quieten(key);
      this.problems.push(`the job's "key" gave ${shown(key)}, not a string`);
    } catch (error) {
      this.problems.push(`the job's "key" threw: ${thrownText(error)}`);
    }
    return null;
  }

  private readRunAt(): Date | null {
    const runAt: unknown = this.item.runAt;
    if (runAt === undefined) return null;
    const ms = runAt instanceof Date ? runAt.getTime() : Number.NaN;
    if (ms >= MIN_RUN_AT_MS && ms <= MAX_RUN_AT_MS) return new Date(ms);
    this.problems.push(`runAt must be a valid Date between the years 2000 and 9999, got ${shown(runAt)}`);
    return null;
  }
}
