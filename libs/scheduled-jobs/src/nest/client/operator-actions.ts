import { Inject, Injectable } from '@nestjs/common';
import { InvalidRequestError, UnknownJobError } from '../../core/errors.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import type { AcknowledgeFilter } from '../../core/ports/operation-store.js';
import type { CorrectedPayload, ReplayedExecution, ReplayFilter } from '../../core/ports/replay-store.js';
import { Operations, type Acknowledgement, type CanceledExecution } from '../../engine/operations.js';
import type { Stores } from '../../postgres/create-stores.js';
import {
  acknowledgeCursor,
  acknowledgePageRequest,
  previewedAcknowledgement,
  type AcknowledgeManyOptions,
  type AcknowledgeManyPreview,
  type AcknowledgeManyResult,
} from './acknowledge-request.js';
import { Enqueuer } from './enqueuer.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import { namedOperatorRequest, readNamedOperator, type NamedOperatorOptions } from './operator-options.js';
import {
  previewedFilter,
  replayCursor,
  replayPageRequest,
  type ReplayManyOptions,
  type ReplayManyPreview,
  type ReplayManyResult,
  type ReplayOptions,
} from './replay-request.js';
import { STORES } from '../tokens.js';

const MAX_KEYS = 1_000;

/** What people do to executions by hand, checked before anything is written. */
@Injectable()
export class OperatorActions {
  private readonly operations: Operations;

  constructor(
    private readonly catalog: JobCatalog,
    private readonly enqueuer: Enqueuer,
    @Inject(STORES) private readonly stores: Stores,
  ) {
    this.operations = new Operations(stores.operations, stores.replays);
  }

  async cancel(keyOrId: string, options: NamedOperatorOptions): Promise<CanceledExecution> {
    const operation = `cancel ${shown(keyOrId)}`;
    checkName(operation, keyOrId);
    return this.operations.cancel(keyOrId, namedOperatorRequest(operation, options, this.stores.clock));
  }

  /** @param verb What the caller asked for: refusals name it. */
  async replay(keyOrId: string, options: ReplayOptions, verb: 'replay' | 'retry'): Promise<ReplayedExecution> {
    const operation = `${verb} ${shown(keyOrId)}`;
    checkName(operation, keyOrId);
    const problems: string[] = [];
    const reader = new OptionReader(options, '', problems);
    reader.allowOnly(['actor', 'reason', 'force', 'payload']);
    const operator = readNamedOperator(reader);
    const force = reader.boolean('force', false);
    if (problems.length > 0) throw new InvalidRequestError(operation, problems);
    const corrected = options.payload === undefined ? null : await this.corrected(keyOrId, options.payload, operation);
    return this.operations.replay(keyOrId, { ...operator, now: this.stores.clock.boundNow(), force, corrected });
  }

  async replayMany(filter: ReplayFilter, options: ReplayManyOptions): Promise<ReplayManyResult> {
    const request = replayPageRequest(filter, options, this.stores.clock);
    const { replayed, leftAlone, next } = await this.stores.replays.replayPage(request);
    if (replayed.length + leftAlone === 0 && request.after === null) this.refuseUnknownJob(request.filter);
    const nextCursor = next === null ? null : replayCursor(next, request.filter);
    return { dryRun: false, replayed, leftAlone, nextCursor };
  }

  async preview(filter: ReplayFilter, options: { readonly dryRun: true }): Promise<ReplayManyPreview> {
    return this.previewOf(previewedFilter(filter, options));
  }

  async acknowledgeMany(filter: AcknowledgeFilter, options: AcknowledgeManyOptions): Promise<AcknowledgeManyResult> {
    const request = acknowledgePageRequest(filter, options, this.stores.clock);
    const { acknowledged, leftAlone, next } = await this.stores.operations.acknowledgePage(request);
    if (acknowledged.length + leftAlone === 0 && request.after === null) this.refuseUnknownJob(request.filter);
    const nextCursor = next === null ? null : acknowledgeCursor(next, request.filter);
    return { dryRun: false, acknowledged, leftAlone, nextCursor };
  }

  async previewAcknowledgement(
    filter: AcknowledgeFilter,
    options: { readonly dryRun: true },
  ): Promise<AcknowledgeManyPreview> {
    return this.previewOf(previewedAcknowledgement(filter, options));
  }

  async acknowledge(given: string | readonly string[], options: NamedOperatorOptions): Promise<Acknowledgement> {
    const operation = `acknowledge ${Array.isArray(given) ? 'dead letters' : shown(given)}`;
    const keys: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (keys.length === 0 || keys.length > MAX_KEYS) {
      throw new InvalidRequestError(operation, [`it takes 1 to ${MAX_KEYS} keys or ids, got ${keys.length}`]);
    }
    for (const key of keys) checkName(operation, key);
    const request = namedOperatorRequest(operation, options, this.stores.clock);
    if (typeof given === 'string') return this.operations.acknowledgeOne(given, request);
    return this.operations.acknowledge(given, request);
  }

  /** Checked as by `enqueue`: what passes only as it was handed in would fail once more when it is run. */
  private async corrected(keyOrId: string, payload: unknown, operation: string): Promise<CorrectedPayload | null> {
    const [found] = await this.stores.operations.find([keyOrId]);
    // It is looked for once more, and missed there.
    if (found === undefined || found === null) return null;
    const job = this.jobOf(found.jobName);
    if (job.schedule !== null) throw new InvalidRequestError(operation, ['payload belongs to background jobs']);
    const { payload: json, concurrencyKey } = await this.enqueuer.check(job, { payload }, 'trigger');
    return { json, concurrencyKey };
  }

  private async previewOf(meant: ReplayFilter): Promise<ReplayManyPreview> {
    const preview = await this.stores.replays.preview(meant);
    if (preview.count === 0) this.refuseUnknownJob(meant);
    return { dryRun: true, ...preview };
  }

  /** A filter that means nothing may be misspelt. Jobs that are gone may have left something: they were found. */
  private refuseUnknownJob({ job }: ReplayFilter): void {
    if (job !== undefined) this.catalog.get(job);
  }

  /** Executions keep the name that their job had. */
  private jobOf(name: string): JobDefinition {
    const definitions = this.catalog.definitions();
    const job = definitions.find((one) => one.name === name || one.aliases.includes(name));
    if (job === undefined) throw new UnknownJobError(name);
    return job;
  }
}

/** Plain JavaScript may hand in anything. */
function checkName(operation: string, keyOrId: unknown): asserts keyOrId is string {
  if (typeof keyOrId === 'string' && keyOrId.length > 0) return;
  throw new InvalidRequestError(operation, [`the key or id must be a text that is not empty, got ${shown(keyOrId)}`]);
}
