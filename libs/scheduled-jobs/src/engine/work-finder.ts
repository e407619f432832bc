import type { EventSink } from '../core/events/engine-event.js';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import type { Clock } from '../core/ports/clock.js';
import type { WorkOutlook, WorkStore } from '../core/ports/work-store.js';
import { HeldExecution } from './held-execution.js';
import { shareOut } from './queue-shares.js';

export interface WorkFinderDependencies {
  readonly store: Pick<WorkStore, 'look' | 'promote' | 'admit' | 'release' | 'claim'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  readonly workerId: string;
  readonly queues: readonly string[];
  readonly jobNames: readonly string[];
}

/** How many executions a worker has room for. */
export interface Room {
  /** Free slots. */
  readonly start: number;
  /** Free slots and places in the buffer. */
  readonly take: number;
}

/** What a claim must not bring, because of what runs here. */
export interface ClaimLimits {
  /** Executions whose handlers go on here without a lease. */
  readonly leftOut: readonly string[];
  /** Whether it may bring one that fails with the next lost lease. */
  readonly lastChance: boolean;
}

const NO_LIMITS: ClaimLimits = { leftOut: [], lastChance: true };

/** What one look brought. */
export interface FoundWork {
  /** First those that start at once. */
  readonly claimed: readonly HeldExecution[];
  /** Milliseconds until there may be more, by what the ledger says; null = unknown. */
  readonly nextInMs: number | null;
}

interface Quota {
  readonly queue: string;
  readonly take: number;
  readonly start: number;
}

const PROMOTE_LIMIT = 1_000;
const RELEASE_LIMIT = 1_000;
/** Held executions may be those of paused jobs, or for other workers: not each look asks for them. */
const RELEASE_REST_MS = 1_000;
/** A walk over the waiting keys may take a tenth of the time, and is never put off longer than a second. */
const WALK_REST = { factor: 9, maxMs: 1_000 } as const;

/**
 * Finds work: one cheap look, and then only what the look says is worth a statement. Delayed executions that are due are
 * promoted, held ones of its jobs released, waiting ones admitted to the free slots of their concurrency keys, ready ones
 * claimed.
 *
 * Queues share the room equally; what one does not use, the others get in the next round of the same look.
 */
export class WorkFinder {
  private turn = 0;
  private nextWalkMs = Number.NEGATIVE_INFINITY;
  private nextReleaseMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly dependencies: WorkFinderDependencies) {}

  async find(room: Room, limits: ClaimLimits = NO_LIMITS): Promise<FoundWork> {
    const { store, clock, queues } = this.dependencies;
    const outlook = await store.look(queues, clock.boundNow());
    const promoted = outlook.due ? await store.promote(PROMOTE_LIMIT, clock.boundNow()) : 0;
    const released = outlook.held ? await this.release() : 0;
    const walkInMs = await this.admit(outlook, promoted);
    const isWorth = outlook.ready || promoted + released > 0 || walkInMs === null;
    const claimed = isWorth ? await this.claim(room, limits) : [];
    if (promoted === PROMOTE_LIMIT || released === RELEASE_LIMIT) return { claimed, nextInMs: 0 };
    return { claimed, nextInMs: earliest(outlook.nextRunInMs, walkInMs) };
  }

  /** Brings executions of its jobs back that were put aside while nobody could or might run them. */
  private async release(): Promise<number> {
    const { store, clock, jobNames } = this.dependencies;
    if (clock.monotonicMs() < this.nextReleaseMs) return 0;
    const released = await store.release(jobNames, RELEASE_LIMIT);
    if (released < RELEASE_LIMIT) this.nextReleaseMs = clock.monotonicMs() + RELEASE_REST_MS;
    return released;
  }

  /** Walks over the waiting keys. Null = it did; a number = it is too early for another walk. */
  private async admit({ waiting }: WorkOutlook, promoted: number): Promise<number | null> {
    if (!waiting && promoted === 0) return Number.POSITIVE_INFINITY;
    const { store, clock } = this.dependencies;
    const startedMs = clock.monotonicMs();
    if (promoted === 0 && startedMs < this.nextWalkMs) return this.nextWalkMs - startedMs;
    await store.admit(null, clock.boundNow());
    const endedMs = clock.monotonicMs();
    this.nextWalkMs = endedMs + Math.min((endedMs - startedMs) * WALK_REST.factor, WALK_REST.maxMs);
    return null;
  }

  private async claim(room: Room, limits: ClaimLimits): Promise<readonly HeldExecution[]> {
    const starting: HeldExecution[] = [];
    const buffered: HeldExecution[] = [];
    let { lastChance } = limits;
    let open = this.dependencies.queues;
    while (open.length > 0) {
      const left = { start: room.start - starting.length, take: room.take - starting.length - buffered.length };
      const quotas = this.quotas(left, open);
      if (quotas.length === 0) break;
      const got = await this.claimOnce(quotas, { ...limits, lastChance }).catch((error: unknown) => {
        // What is claimed already must not be forgotten; the next look meets the same failure.
        if (starting.length + buffered.length === 0) throw error;
        return null;
      });
      if (got === null) break;
      for (const { queue, start } of quotas) {
        const ofQueue = got.filter(({ claimed }) => claimed.queue === queue);
        starting.push(...ofQueue.slice(0, start));
        buffered.push(...ofQueue.slice(start));
      }
      // What else stands on its last chance has taken places of the answer.
      const isWhole = !got.some(({ claimed }) => claimed.isLastChance);
      if (isWhole) open = open.filter((queue) => !isExhausted(queue, quotas, got));
      else lastChance = false;
    }
    return [...starting, ...buffered];
  }

  private quotas({ start, take }: Room, queues: readonly string[]): readonly Quota[] {
    const turn = this.turn++ % queues.length;
    const starts = shareOut(Math.max(start, 0), queues, turn);
    const takes = shareOut(Math.max(take, 0), queues, turn);
    return queues
      .map((queue) => ({ queue, take: takes.get(queue) ?? 0, start: starts.get(queue) ?? 0 }))
      .filter((quota) => quota.take > 0);
  }

  private async claimOnce(quotas: readonly Quota[], limits: ClaimLimits): Promise<readonly HeldExecution[]> {
    const { store, clock, emit, workerId, jobNames } = this.dependencies;
    const sentMs = clock.monotonicMs();
    const claimed = await store.claim({ workerId, quotas, jobNames, now: clock.boundNow(), ...limits });
    const receivedMs = clock.monotonicMs();
    if (claimed.length > 0) {
      emit({ type: 'executions.claimed', count: claimed.length, durationMs: Math.round(receivedMs - sentMs) });
    }
    return claimed.map((execution: ClaimedExecution) => new HeldExecution(execution, { sentMs, receivedMs }));
  }
}

/** A queue that was asked and gave less than it might has nothing more at the moment. */
function isExhausted(queue: string, quotas: readonly Quota[], got: readonly HeldExecution[]): boolean {
  const quota = quotas.find((asked) => asked.queue === queue);
  return quota !== undefined && got.filter(({ claimed }) => claimed.queue === queue).length < quota.take;
}

function earliest(...delays: readonly (number | null)[]): number | null {
  const known = delays.filter((delay): delay is number => delay !== null && Number.isFinite(delay));
  return known.length === 0 ? null : Math.min(...known);
}
