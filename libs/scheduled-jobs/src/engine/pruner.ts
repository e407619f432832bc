import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { PrunePosition, RetentionStore } from '../core/ports/retention-store.js';

export interface PrunerDependencies {
  readonly store: RetentionStore;
  readonly clock: Clock;
  readonly emit: EventSink;
}

/** How far the walk over a job's executions has come. */
interface Walk {
  /** Null = it begins anew. */
  readonly after: PrunePosition | null;
  /** What it has taken so far. */
  readonly busyMs: number;
  /** By the monotonic clock. */
  readonly notBeforeMs: number;
}

/** What one pass over all jobs did. */
export interface PruneSummary {
  readonly removed: number;
  /** It broke walks off that can go on at once. */
  readonly hasMore: boolean;
  readonly failures: readonly { readonly jobName: string; readonly error: unknown }[];
}

interface WalkedOn {
  readonly removed: number;
  readonly failed: { readonly error: unknown } | null;
}

/** Executions that one statement looks at. */
const BATCH_SIZE = 1_000;
/** No job holds up the others for longer than that. */
const BATCHES_PER_PASS = 10;
const NEW_WALK: Walk = { after: null, busyMs: 0, notBeforeMs: Number.NEGATIVE_INFINITY };
const QUICK_WALK_MS = 1_000;
/** A job with so many old executions that are kept that its walk is not quick is busy for a twentieth of the time. */
const REST_FACTOR = 20;

/**
 * Removes ended executions that are older than their job keeps them.
 *
 * Each job has a walk over its executions, the oldest first, that goes on from pass to pass and begins anew when it is
 * through. So executions that are kept longer than others are looked at once a walk, however many there are. Where a walk
 * stands is only known to this process: another one begins its own, and finds less to remove.
 */
export class Pruner {
  private readonly walks = new Map<string, Walk>();

  constructor(private readonly dependencies: PrunerDependencies) {}

  /** Goes on with each job's walk for a while; an aborted signal ends the pass between two statements. */
  async run(signal: AbortSignal): Promise<PruneSummary> {
    const failures: { readonly jobName: string; readonly error: unknown }[] = [];
    let removed = 0;
    let hasMore = false;
    for (const jobName of await this.dependencies.store.jobNames()) {
      if (signal.aborted) break;
      const walked = await this.walkOn(jobName, signal);
      removed += walked.removed;
      if (walked.failed === null) hasMore ||= (this.walks.get(jobName) ?? NEW_WALK).after !== null;
      else failures.push({ jobName, error: walked.failed.error });
    }
    return { removed, hasMore, failures };
  }

  private async walkOn(jobName: string, signal: AbortSignal): Promise<WalkedOn> {
    const { clock, emit } = this.dependencies;
    let walk = this.walks.get(jobName) ?? NEW_WALK;
    let removed = 0;
    let failed: WalkedOn['failed'] = null;
    if (clock.monotonicMs() < walk.notBeforeMs) return { removed, failed };
    try {
      for (let batch = 0; batch < BATCHES_PER_PASS && !signal.aborted; batch++) {
        const step = await this.step(jobName, walk);
        removed += step.removed;
        walk = step.walk;
        this.walks.set(jobName, walk);
        if (walk.after === null) break;
      }
    } catch (error) {
      failed = { error };
    }
    if (removed > 0) emit({ type: 'executions.pruned', job: jobName, count: removed });
    return { removed, failed };
  }

  private async step(
    jobName: string,
    { after, busyMs }: Walk,
  ): Promise<{ readonly removed: number; readonly walk: Walk }> {
    const { store, clock } = this.dependencies;
    const startedMs = clock.monotonicMs();
    const { removed, next } = await store.prune({ jobName, after, limit: BATCH_SIZE, now: clock.boundNow() });
    const nowMs = clock.monotonicMs();
    const tookMs = busyMs + nowMs - startedMs;
    if (next !== null) return { removed, walk: { ...NEW_WALK, after: next, busyMs: tookMs } };
    return {
      removed,
      walk: tookMs > QUICK_WALK_MS ? { ...NEW_WALK, notBeforeMs: nowMs + tookMs * REST_FACTOR } : NEW_WALK,
    };
  }
}
