import type { EventSink } from '../core/events/engine-event.js';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import type { Clock } from '../core/ports/clock.js';
import type { ClaimRequest, WorkOutlook, WorkStore } from '../core/ports/work-store.js';
import { HeldExecution } from './held-execution.js';
import type { QueueGate } from './queue-gate.js';
import { isExhausted, shareOut, type Quota } from './queue-shares.js';
import type { Rescuer } from './rescuer.js';
import { SlowClaims } from './slow-claims.js';

export interface WorkFinderDependencies {
  readonly store: Pick<WorkStore, 'look' | 'promote' | 'admit' | 'bringBack' | 'claim' | 'refreshStatistics'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  readonly workerId: string;
  readonly queues: readonly string[];
  readonly jobNames: readonly string[];
  readonly gate: QueueGate;
  /** Hears whether leases ran out. Default nobody. */
  readonly rescuer?: Pick<Rescuer, 'wantsLook' | 'looked'>;
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

const PROMOTE_LIMIT = 1_000;
const BRING_BACK_LIMIT = 1_000;
/** Held executions may be those of paused jobs, or for other workers: not each look asks for them. */
const BRING_BACK_REST_MS = 1_000;
/** While there is always more that is ready, what only a look can see waits no longer than this. */
const UNSEEN_MS = 100;
/** A walk over the waiting keys may take a tenth of the time, and is never put off longer than a second. */
const WALK_REST = { factor: 9, maxMs: 1_000 } as const;

/**
 * Finds work: one cheap look, and then only what the look says is worth a statement. Where something is most likely ready,
 * after a hint or a claim that was given all it asked for, it claims without a look: once, and then for a tenth of a second after
 * the last look. Delayed executions that are due are promoted, held ones of its jobs brought back, waiting ones admitted to the
 * free slots of their concurrency keys, ready ones claimed: of gated queues only what starts at once.
 *
 * Queues share the room equally; what one does not use, the others get in the next round of the same look.
 */
export class WorkFinder {
  private turn = 0;
  private nextWalkMs = Number.NEGATIVE_INFINITY;
  private nextBringBackMs = Number.NEGATIVE_INFINITY;
  private limits = NO_LIMITS;
  /** There was a look since the last claim without one. */
  private hasLooked = false;
  private lookedMs = Number.NEGATIVE_INFINITY;
  private wasGivenAll = false;
  private readonly slowClaims: SlowClaims;

  constructor(private readonly dependencies: WorkFinderDependencies) {
    this.slowClaims = new SlowClaims(dependencies.store, dependencies.clock);
  }

  /** The latest claim was given all that it asked for: there is more, most likely. */
  get expectsMore(): boolean {
    return this.wasGivenAll;
  }

  /** @param isHinted Somebody says that there is work. */
  async find(room: Room, limits: ClaimLimits = NO_LIMITS, isHinted = false): Promise<FoundWork> {
    this.limits = limits;
    const claimed = isHinted || this.wasGivenAll ? await this.claimUnseen(room) : [];
    return claimed.length > 0 ? { claimed, nextInMs: 0 } : this.lookAndClaim(room);
  }

  /** Saves the time of a look, and leaves all but ready executions of open queues to the next find, which looks. */
  private async claimUnseen(room: Room): Promise<readonly HeldExecution[]> {
    const { clock, gate } = this.dependencies;
    const mayGoUnseen = this.hasLooked || clock.monotonicMs() - this.lookedMs < UNSEEN_MS;
    if (!mayGoUnseen || gate.hasAny) return [];
    this.hasLooked = false;
    return this.claim(room, 0);
  }

  private async lookAndClaim(room: Room): Promise<FoundWork> {
    const { store, clock } = this.dependencies;
    const outlook = await this.look();
    const promoted = outlook.due ? await store.promote(PROMOTE_LIMIT, clock.boundNow()) : 0;
    const broughtBack = outlook.held ? await this.bringBack() : 0;
    const walkInMs = await this.admit(outlook, promoted);
    const isFresh = promoted + broughtBack > 0 || walkInMs === null;
    const { gate } = this.dependencies;
    gate.look(outlook.gates, isFresh);
    // A claim tells it anew; where there is none, a worker that went on looking ahead would never stop, nor ask for a slot again.
    this.wasGivenAll = false;
    const claimed = await this.claimAll(room, outlook.ready || isFresh);
    if (promoted === PROMOTE_LIMIT || broughtBack === BRING_BACK_LIMIT) return { claimed, nextInMs: 0 };
    return { claimed, nextInMs: earliest(outlook.nextRunInMs, walkInMs, gate.nextInMs) };
  }

  private async look(): Promise<WorkOutlook> {
    const { store, clock, queues, rescuer } = this.dependencies;
    const startedMs = clock.monotonicMs();
    const outlook = await store.look(queues, clock.boundNow(), { leases: rescuer?.wantsLook ?? false });
    this.hasLooked = true;
    this.lookedMs = startedMs;
    if (outlook.expired !== undefined) rescuer?.looked(outlook.expired, startedMs);
    return outlook;
  }

  /** Gated queues get their share first and at last what the others leave; `others` = these may have something. */
  private async claimAll(room: Room, others: boolean): Promise<readonly HeldExecution[]> {
    const gated = await this.claimGated(room.start, { others, held: 0 });
    const left = { start: room.start - gated.length, take: room.take - gated.length };
    const free = others ? await this.claim(left, gated.length) : [];
    const held = gated.length + free.length;
    const more = await this.claimGated(room.start - held, { others: false, held });
    return [...gated, ...more, ...free];
  }

  private async claimGated(
    slots: number,
    { others, held }: { readonly others: boolean; readonly held: number },
  ): Promise<readonly HeldExecution[]> {
    const { gate } = this.dependencies;
    const claimed: HeldExecution[] = [];
    for (;;) {
      const quotas = gate.quotas(slots - claimed.length, { others });
      if (quotas.length === 0) return claimed;
      const got = await this.timed((request) => gate.claim(quotas, request), held + claimed.length);
      claimed.push(...(got ?? []));
      if (got === null || others) return claimed;
    }
  }

  /** Brings executions of its jobs back that were put aside while nobody could or might run them. */
  private async bringBack(): Promise<number> {
    const { store, clock, jobNames } = this.dependencies;
    if (clock.monotonicMs() < this.nextBringBackMs) return 0;
    const broughtBack = await store.bringBack(jobNames, BRING_BACK_LIMIT);
    if (broughtBack < BRING_BACK_LIMIT) this.nextBringBackMs = clock.monotonicMs() + BRING_BACK_REST_MS;
    return broughtBack;
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

  private async claim(room: Room, held: number): Promise<readonly HeldExecution[]> {
    const { store, gate, queues } = this.dependencies;
    const starting: HeldExecution[] = [];
    const buffered: HeldExecution[] = [];
    let open = queues.filter((queue) => !gate.has(queue));
    while (open.length > 0) {
      const taken = starting.length + buffered.length;
      const quotas = this.quotas({ start: room.start - starting.length, take: room.take - taken }, open);
      if (quotas.length === 0) break;
      const got = await this.timed((request) => store.claim({ ...request, quotas }), held + taken);
      if (got === null) break;
      for (const { queue, start } of quotas) {
        const ofQueue = got.filter(({ claimed }) => claimed.queue === queue);
        starting.push(...ofQueue.slice(0, start));
        buffered.push(...ofQueue.slice(start));
      }
      const claimed = got.map((execution) => execution.claimed);
      open = open.filter((queue) => !isExhausted(queue, quotas, claimed));
    }
    this.wasGivenAll = open.length > 0;
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

  /** @param held How much is claimed already and must not be forgotten: then a failure, which the next look meets too, gives null. */
  private async timed(
    claim: (request: Omit<ClaimRequest, 'quotas'>) => Promise<readonly ClaimedExecution[]>,
    held: number,
  ): Promise<readonly HeldExecution[] | null> {
    const { clock, emit, workerId, jobNames } = this.dependencies;
    const sentMs = clock.monotonicMs();
    const claimed = await claim({ workerId, jobNames, now: clock.boundNow(), ...this.limits }).catch(
      (error: unknown) => {
        if (held === 0) throw error;
        return null;
      },
    );
    if (claimed === null) return null;
    const receivedMs = clock.monotonicMs();
    this.slowClaims.claimed(claimed.length, receivedMs - sentMs);
    if (claimed.some(({ isLastChance }) => isLastChance)) this.limits = { ...this.limits, lastChance: false };
    if (claimed.length > 0) {
      emit({ type: 'executions.claimed', count: claimed.length, durationMs: Math.round(receivedMs - sentMs) });
    }
    const timing = { sentMs, receivedMs };
    return claimed.map((execution) => new HeldExecution(execution, timing));
  }
}

function earliest(...delays: readonly (number | null)[]): number | null {
  const known = delays.filter((delay): delay is number => delay !== null && Number.isFinite(delay));
  return known.length === 0 ? null : Math.min(...known);
}
