import { createHash } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { DuplicateExecutionError, InvalidPayloadError } from '../../core/errors.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import type { Trigger } from '../../core/execution/execution-state.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import type { Inserted } from '../../core/ports/execution-store.js';
import type { OperatorRequest } from '../../core/ports/operator-request.js';
import type { Stores } from '../../postgres/create-stores.js';
import { EngineEvents } from '../services/engine-events.js';
import type { EnqueueTracer, TracedEnqueue } from './enqueue-tracer.js';
import type { EnqueueItem, EnqueueManyResult, EnqueueResult } from './enqueue-options.js';
import { ExecutionRequest } from './execution-request.js';
import { DATA_SOURCE, ENQUEUE_TRACER, STORES } from '../tokens.js';

const CHUNK_SIZE = 1_000;
const MAX_ITEMS = 100_000;
const MAX_PROBLEMS = 20;

/** Checks and inserts executions and answers for those whose key was used before. */
@Injectable()
export class Enqueuer {
  constructor(
    @Inject(STORES) private readonly stores: Stores,
    @Inject(DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly events: EngineEvents,
    @Optional() @Inject(ENQUEUE_TRACER) private readonly tracer: EnqueueTracer | null = null,
  ) {}

  /** @throws InvalidPayloadError before anything is written. */
  async check(job: JobDefinition, item: EnqueueItem, trigger: Trigger): Promise<NewExecution> {
    const { execution, problems } = await new ExecutionRequest(job, item, (message) => this.warn(message)).check(
      trigger,
    );
    if (execution === null) throw new InvalidPayloadError(job.name, problems);
    return execution;
  }

  /** @throws InvalidPayloadError that lists the problems of up to 20 items, before anything is written. */
  async checkAll(job: JobDefinition, items: readonly EnqueueItem[]): Promise<readonly NewExecution[]> {
    if (items.length > MAX_ITEMS) {
      throw new InvalidPayloadError(job.name, [`${items.length} items at once are more than ${MAX_ITEMS}`]);
    }
    const problems: string[] = [];
    const executions: NewExecution[] = [];
    for (const [index, item] of items.entries()) {
      const check = new ExecutionRequest(job, item, (message) => this.warn(message)).check('enqueue');
      const checked = check instanceof Promise ? await check : check;
      if (checked.execution === null) problems.push(...checked.problems.map((problem) => `[${index}] ${problem}`));
      else executions.push(checked.execution);
      if (problems.length >= MAX_PROBLEMS) break;
    }
    if (problems.length > 0) throw new InvalidPayloadError(job.name, problems.slice(0, MAX_PROBLEMS));
    return executions;
  }

  /** @throws DuplicateExecutionError when the key was used before and the job's `duplicates` is `reject`. */
  async insert(
    job: JobDefinition,
    execution: NewExecution,
    manager: EntityManager | undefined,
  ): Promise<EnqueueResult> {
    const tx = transactionOf(job, manager);
    return this.traced('enqueue', [execution], async (executions) => {
      const [inserted] = await this.stores.executions.insert(executions, { tx, now: this.stores.clock.boundNow() });
      if (inserted === undefined) throw new TypeError('The store gave no answer for an execution.');
      this.tell(job, [inserted]);
      return this.answer(job, inserted, tx);
    });
  }

  /** The same for one that somebody asked for by hand, in a transaction of its own. */
  async insertTriggered(job: JobDefinition, execution: NewExecution, request: OperatorRequest): Promise<EnqueueResult> {
    return this.traced('trigger', [execution], async ([traced = execution]) => {
      const inserted = await this.stores.executions.insertTriggered(traced, request);
      this.tell(job, [inserted]);
      return this.answer(job, inserted, null);
    });
  }

  private async answer(job: JobDefinition, inserted: Inserted, tx: EntityManager | null): Promise<EnqueueResult> {
    if (!inserted.created) return this.answerDuplicate(job, inserted, tx);
    const { executionId, key } = inserted;
    return { execution: { executionId, key, state: null }, created: true };
  }

  /** All or none. @throws DuplicateExecutionError as `insert` does. */
  async insertAll(
    job: JobDefinition,
    executions: readonly NewExecution[],
    manager: EntityManager | undefined,
  ): Promise<EnqueueManyResult> {
    const tx = transactionOf(job, manager);
    const isOneStatement = executions.length <= CHUNK_SIZE && job.duplicates !== 'reject';
    return this.traced('enqueue', executions, async (all) => {
      const inserted =
        tx === null && !isOneStatement
          ? await this.dataSource.transaction('READ COMMITTED', (own) => this.insertChunks(job, all, own))
          : await this.insertChunks(job, all, tx);
      return { executions: inserted, ...this.tell(job, inserted) };
    });
  }

  private traced<T>(
    operation: TracedEnqueue['operation'],
    executions: readonly NewExecution[],
    insert: (executions: readonly NewExecution[]) => Promise<T>,
  ): Promise<T> {
    const [first] = executions;
    if (this.tracer === null || first === undefined) return insert(executions);
    return this.tracer.trace({ operation, job: first.jobName, count: executions.length }, (traceParent) =>
      insert(traceParent === null ? executions : executions.map((execution) => ({ ...execution, traceParent }))),
    );
  }

  private tell(
    { name: job }: JobDefinition,
    inserted: readonly Inserted[],
  ): Pick<EnqueueManyResult, 'created' | 'duplicates'> {
    const created = inserted.filter((one) => one.created).length;
    const counts = { created, duplicates: inserted.length - created };
    this.events.emit({ type: 'executions.enqueued', job, ...counts });
    return counts;
  }

  private async insertChunks(
    job: JobDefinition,
    executions: readonly NewExecution[],
    tx: EntityManager | null,
  ): Promise<readonly Inserted[]> {
    const answers = new Map<NewExecution, Inserted>();
    for (const chunk of chunksOf(executions)) {
      const inserted = await this.stores.executions.insert(chunk, { tx, now: this.stores.clock.boundNow() });
      const duplicate = job.duplicates === 'reject' ? inserted.find(({ created }) => !created) : undefined;
      if (duplicate !== undefined) throw new DuplicateExecutionError(duplicate.key, duplicate.executionId);
      if (chunk.length === executions.length) return inserted;
      for (const [index, answer] of inserted.entries()) answers.set(chunk[index] as NewExecution, answer);
    }
    return executions.map((execution) => answers.get(execution) as Inserted);
  }

  private async answerDuplicate(
    { duplicates }: JobDefinition,
    { executionId, key }: Inserted,
    tx: EntityManager | null,
  ): Promise<EnqueueResult> {
    if (duplicates === 'reject') throw new DuplicateExecutionError(key, executionId);
    if (duplicates === 'ignore') return { execution: null, created: false };
    const [existing] = await this.stores.executions.existing([executionId], tx);
    if (existing === undefined) return { execution: null, created: false, pruned: true };
    const execution = { executionId, key: existing.key, state: existing.state };
    const withResult = duplicates === 'return-result' && existing.state === 'succeeded';
    return { execution: withResult ? { ...execution, result: existing.result } : execution, created: false };
  }

  private warn(message: string): void {
    this.events.emit({ type: 'configuration.warned', message });
  }
}

/** @throws InvalidPayloadError for a manager outside a transaction: the caller believes that it commits with one. */
function transactionOf(job: JobDefinition, manager: EntityManager | undefined): EntityManager | null {
  if (manager === undefined) return null;
  if (manager.queryRunner !== undefined && !manager.queryRunner.isReleased) return manager;
  throw new InvalidPayloadError(job.name, [
    'manager is not in a transaction. Pass the EntityManager that dataSource.transaction() hands out',
  ]);
}

/**
 * Chunks of one transaction lock keys in one order over all of them, as each statement does in itself, so that two callers
 * with the same keys cannot wait for each other.
 */
function chunksOf(executions: readonly NewExecution[]): readonly (readonly NewExecution[])[] {
  const ordered =
    executions.length > CHUNK_SIZE && executions.some(({ key }) => key !== null)
      ? executions
          .map((execution) => ({ execution, hash: execution.key === null ? '' : hashOf(execution.key) }))
          .toSorted((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash)))
          .map(({ execution }) => execution)
      : executions;
  const count = Math.ceil(ordered.length / CHUNK_SIZE);
  return Array.from({ length: count }, (_, index) => ordered.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE));
}

// The ledger orders keys by the first half of this hash.
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
