import { Inject, Injectable, Optional } from '@nestjs/common';
import { BackfillNotFoundError } from '../../core/errors.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import type { ScheduledJobDefinition } from '../../core/job/job-definition.js';
import { shown } from '../../core/job/option-reader.js';
import type { Backfill, CanceledBackfill } from '../../core/ports/backfill-store.js';
import type { KeyRecord, ScheduleRecord } from '../../core/ports/period-records.js';
import { planBackfill } from '../../core/schedule/backfill-plan.js';
import { earlierNamesOf, recordsOfPeriods } from '../../core/schedule/period-lookup.js';
import type { Stores } from '../../postgres/create-stores.js';
import {
  backfillRequest,
  refused,
  scheduledJobOf,
  type BackfillOptions,
  type BackfillPreview,
  type BackfillRequest,
  type BackfillResult,
} from './backfill-request.js';
import { EngineEvents } from '../services/engine-events.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import type { EnqueueTracer } from './enqueue-tracer.js';
import { operatorRequest, type OperatorOptions } from './operator-options.js';
import { ENQUEUE_TRACER, STORES } from '../tokens.js';

const LOOKUP_SIZE = 1_000;

/** A backfill, planned. */
interface PlannedBackfill {
  readonly job: ScheduledJobDefinition;
  readonly record: ScheduleRecord;
  readonly request: BackfillRequest;
  /** In the order in which they are to run. */
  readonly executions: readonly NewExecution[];
}

/** Executes periods of the past that somebody asks for. */
@Injectable()
export class Backfills {
  constructor(
    private readonly catalog: JobCatalog,
    private readonly events: EngineEvents,
    @Inject(STORES) private readonly stores: Stores,
    @Optional() @Inject(ENQUEUE_TRACER) private readonly tracer: EnqueueTracer | null = null,
  ) {}

  async start(jobName: string, options: BackfillOptions): Promise<BackfillPreview | BackfillResult> {
    const job = scheduledJobOf(this.catalog.get(jobName));
    // Each round is made from newer versions than the one before.
    for (;;) {
      const planned = await this.plan(job, options);
      if (planned.request.isDryRun) return this.preview(planned);
      const backfill = await this.traced(planned, (executions) => this.write({ ...planned, executions }));
      if (backfill !== null) return { dryRun: false, ...backfill, ...endsOf(planned) };
    }
  }

  async get(backfillId: string): Promise<Backfill> {
    const backfill = await this.stores.backfills.find(backfillId);
    if (backfill === null) throw new BackfillNotFoundError(backfillId);
    return backfill;
  }

  async cancel(backfillId: string, options: OperatorOptions): Promise<CanceledBackfill> {
    const request = operatorRequest(`cancel the backfill ${shown(backfillId)}`, options, this.stores.clock);
    const canceled = await this.stores.backfills.cancel(backfillId, request);
    if (canceled === null) throw new BackfillNotFoundError(backfillId);
    return canceled;
  }

  private async plan(job: ScheduledJobDefinition, options: BackfillOptions): Promise<PlannedBackfill> {
    const record = await this.stores.periods.ofSchedule(job.name, this.stores.clock.boundNow());
    if (record === null || record.renamedTo !== null) {
      throw refused(job, ['its schedule is not in force in the ledger. Start an application that carries it']);
    }
    const request = backfillRequest(job, options, record.now);
    const warn = (message: string) => this.events.emit({ type: 'configuration.warned', message });
    return { job, record, request, executions: planBackfill(job, { record, range: request }, warn) };
  }

  /** One span, however many periods it has. */
  private traced<T>(
    { job, executions }: PlannedBackfill,
    write: (executions: readonly NewExecution[]) => Promise<T>,
  ): Promise<T> {
    if (this.tracer === null) return write(executions);
    return this.tracer.trace({ operation: 'backfill', job: job.name, count: executions.length }, (traceParent) =>
      write(traceParent === null ? executions : executions.map((execution) => ({ ...execution, traceParent }))),
    );
  }

  private write({ job, record, request, executions }: PlannedBackfill): Promise<Backfill | null> {
    const { from, to, order, actor, reason } = request;
    const version = record.versions.at(-1)?.version ?? 0;
    const backfill = { jobName: job.name, version, from, to, order, actor, reason, executions };
    const earlierNames = earlierNamesOf(job, record);
    return this.stores.backfills.insert({ ...backfill, earlierNames }, this.stores.clock.boundNow());
  }

  private async preview(planned: PlannedBackfill): Promise<BackfillPreview> {
    const { job, record, executions } = planned;
    const counts: Record<KeyRecord, number> = { recorded: 0, pruned: 0, absent: 0 };
    const lookup = {
      jobName: job.name,
      earlierNames: earlierNamesOf(job, record),
      ofKeys: (keys: readonly string[]) => this.stores.periods.ofKeys(keys),
    };
    for (let start = 0; start < executions.length; start += LOOKUP_SIZE) {
      const batch = executions.slice(start, start + LOOKUP_SIZE);
      for (const found of await recordsOfPeriods(batch, lookup)) counts[found] += 1;
    }
    const { recorded: existing, pruned, absent: toInsert } = counts;
    return { dryRun: true, occurrences: executions.length, ...endsOf(planned), toInsert, existing, pruned };
  }
}

/** The keys of the earliest and the latest period. */
function endsOf({ executions, request }: PlannedBackfill): Pick<BackfillPreview, 'first' | 'last'> {
  const ends = [executions.at(0)?.key ?? null, executions.at(-1)?.key ?? null] as const;
  const [first, last] = request.order === 'oldest-first' ? ends : [ends[1], ends[0]];
  return { first, last };
}
