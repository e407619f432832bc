import type { AuditEntry, AuditQuery } from '../../core/ports/audit-log.js';
import type {
  DeadLetterQuery,
  ExecutionDetail,
  ExecutionQuery,
  ExecutionSummary,
  Page,
} from '../../core/ports/ledger-reader.js';
import type { AcknowledgeFilter } from '../../core/ports/operation-store.js';
import type { ReplayedExecution, ReplayFilter } from '../../core/ports/replay-store.js';
import type { Acknowledgement, CanceledExecution } from '../../engine/operations.js';
import type { Stores } from '../../postgres/create-stores.js';
import type { AcknowledgeManyOptions, AcknowledgeManyPreview, AcknowledgeManyResult } from './acknowledge-request.js';
import type { OperatorActions } from './operator-actions.js';
import type { NamedOperatorOptions } from './operator-options.js';
import type { ReplayManyOptions, ReplayManyPreview, ReplayManyResult, ReplayOptions } from './replay-request.js';

/** How the application looks at executions that there are, and what its operators do to them. */
export abstract class ExecutionsClient {
  protected constructor(
    protected readonly stores: Stores,
    private readonly actions: OperatorActions,
  ) {}

  /** One execution by its key or id; null when there is none, or retention has removed it. */
  get(keyOrId: string): Promise<ExecutionDetail | null> {
    return this.stores.ledger.get(keyOrId, this.stores.clock.boundNow());
  }

  /**
   * One page of executions, newest first. By a filter that no index serves it looks at 10,000 executions: it may be short, or empty,
   * and have a next one.
   * @throws InvalidQueryError when a filter, the limit or the cursor cannot work, or a filter does not exist.
   */
  find(query: ExecutionQuery = {}): Promise<Page<ExecutionSummary>> {
    return this.stores.ledger.find(query, this.stores.clock.boundNow());
  }

  /**
   * One page of dead letters, newest first: executions that failed and that nobody has acknowledged. `replay` with
   * `dryRun` counts them by job and kind of error.
   * @throws InvalidQueryError as `find`.
   */
  deadLetters(query: DeadLetterQuery = {}): Promise<Page<ExecutionSummary>> {
    return this.stores.ledger.deadLetters(query, this.stores.clock.boundNow());
  }

  /**
   * Cancels an execution. One that no worker has ends at once; of one that runs, the signal fires within a second, and it ends
   * `canceled` when its handler settles, or after the job's `abortGrace`: what the handler returns is kept as information,
   * and its transactions roll back. One whose worker is gone ends when the lease has run out. Safe to call twice.
   * @throws InvalidRequestError with every problem; ExecutionNotFoundError; ExecutionEndedError when it has ended otherwise;
   * ExecutionHeldError when a transaction holds it for more than a second.
   */
  cancel(keyOrId: string, options: NamedOperatorOptions): Promise<CanceledExecution> {
    return this.actions.cancel(keyOrId, options);
  }

  /** Executes an ended execution once more: the `replay` of one. */
  retry(keyOrId: string, options: ReplayOptions): Promise<ReplayedExecution> {
    return this.actions.replay(keyOrId, options, 'retry');
  }

  /**
   * Executes ended executions once more, in any state but `succeeded`: lease tokens and attempt numbers go on, attempts and
   * deadline begin anew, and what `run.items` and transactions have committed stays committed.
   *
   * By key or id one, which waits in its queue at once; with `force` a success, too, from its beginning; with `payload` by a
   * corrected payload: its key stays, the former payload goes into the audit.
   *
   * By filter many, oldest first, `limit` of them in a call, as fast as `maxPerMinute` says. Each is looked at again before it is
   * replayed; acknowledged failures are left alone. With `dryRun` nothing is written.
   * @throws InvalidRequestError with every problem, also for an empty filter; UnknownJobError for a filter by a job that nobody
   * knows and that left nothing. Of one: ExecutionNotFoundError;
   * ExecutionNotReplayableError when its state does not allow it; InvalidPayloadError and UnknownJobError for a corrected payload;
   * ExecutionHeldError when something holds it for more than a second.
   */
  replay(keyOrId: string, options: ReplayOptions): Promise<ReplayedExecution>;
  replay(filter: ReplayFilter, options: { readonly dryRun: true }): Promise<ReplayManyPreview>;
  replay(filter: ReplayFilter, options: ReplayManyOptions): Promise<ReplayManyResult>;
  replay(
    target: string | ReplayFilter,
    options: ReplayOptions | ReplayManyOptions | { readonly dryRun: true },
  ): Promise<ReplayedExecution | ReplayManyPreview | ReplayManyResult> {
    if (typeof target === 'string') return this.actions.replay(target, options as ReplayOptions, 'replay');
    return isDryRun(options) ? this.actions.preview(target, options) : this.actions.replayMany(target, options);
  }

  /**
   * Acknowledges failures: somebody knows of them, and they are no dead letters any more. A replay takes that back. One key or
   * id must be a failure; of up to 1,000 the answer says which were.
   *
   * By filter many, oldest first, `limit` of them in a call: each is looked at again before it is acknowledged. With `dryRun`
   * nothing is written.
   * @throws InvalidRequestError with every problem, also for an empty filter; UnknownJobError for a filter by a job that nobody
   * knows and that left nothing. Of one: ExecutionNotFoundError; ExecutionNotFailedError;
   * ExecutionHeldError when something holds it for more than a second.
   */
  acknowledge(keyOrIds: string | readonly string[], options: NamedOperatorOptions): Promise<Acknowledgement>;
  acknowledge(filter: AcknowledgeFilter, options: { readonly dryRun: true }): Promise<AcknowledgeManyPreview>;
  acknowledge(filter: AcknowledgeFilter, options: AcknowledgeManyOptions): Promise<AcknowledgeManyResult>;
  acknowledge(
    target: string | readonly string[] | AcknowledgeFilter,
    options: NamedOperatorOptions | AcknowledgeManyOptions | { readonly dryRun: true },
  ): Promise<Acknowledgement | AcknowledgeManyPreview | AcknowledgeManyResult> {
    if (isNamed(target)) return this.actions.acknowledge(target, options as NamedOperatorOptions);
    if (isDryRun(options)) return this.actions.previewAcknowledgement(target, options);
    return this.actions.acknowledgeMany(target, options);
  }

  /**
   * One page of what people did by hand, newest first: who, when, to what, and why.
   * @throws InvalidQueryError when a filter, the limit or the cursor cannot work, or a filter does not exist.
   */
  audit(query: AuditQuery = {}): Promise<Page<AuditEntry>> {
    return this.stores.audit.find(query);
  }
}

const isNamed = (target: string | readonly string[] | AcknowledgeFilter): target is string | readonly string[] =>
  typeof target === 'string' || Array.isArray(target);

/** Plain JavaScript may hand in anything. */
const isDryRun = (options: unknown): options is { readonly dryRun: true } =>
  (options as { readonly dryRun?: unknown } | undefined)?.dryRun === true;
