import type { EventSink } from '../core/events/engine-event.js';
import type { AttemptRecord } from '../core/execution/attempt-record.js';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import type { Clock } from '../core/ports/clock.js';
import type { QueueStore } from '../core/ports/queue-store.js';
import type { ClaimRequest, QueueGateOutlook, WorkStore } from '../core/ports/work-store.js';
import { Breakers } from './breakers.js';
import { jittered } from './jittered.js';
import { isExhausted, shareOut, type Quota } from './queue-shares.js';

export interface QueueGateDependencies {
  readonly store: Pick<WorkStore, 'claimGated'>;
  readonly queues: Pick<QueueStore, 'recordVerdicts'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** There may be room that the last look did not see. */
  readonly onRoom: () => void;
}

/** A look that comes sooner than this finds too little: another worker has the lock, or a part of a token has come. */
const SHORTEST_MS = 10;
/** Stands for all queues without a gate. No queue has this name. */
const OTHERS = '';

/**
 * The queues whose claims all workers have to agree on: limited ones, paused ones, those with a breaker. What they let
 * through starts at once. It never waits in the buffer of a worker, where it would take room from others without running.
 *
 * Everything it knows comes from the last look. It decides nothing: the claim looks for room once more, under the locks.
 */
export class QueueGate {
  private gates: readonly QueueGateOutlook[] = [];
  /** Those that may let something through and have not shown in this turn that they do not. */
  private open: readonly string[] = [];
  private progress: 'none' | 'busy' | 'claimed' = 'none';
  private turn = 0;

  private readonly breakers: Breakers;

  constructor(private readonly dependencies: QueueGateDependencies) {
    const { queues: store, clock, emit, onRoom } = dependencies;
    this.breakers = new Breakers({ store, clock, emit, onClosed: onRoom });
  }

  start(): void {
    this.breakers.start();
  }

  stop(): Promise<void> {
    return this.breakers.stop();
  }

  /** @param anyReady Work became ready since the look, in whatever queue. */
  look(gates: readonly QueueGateOutlook[], anyReady: boolean): void {
    this.gates = gates.map((gate) => ({ ...gate, ready: gate.ready || anyReady }));
    this.open = this.gates.filter(({ ready, opensInMs }) => ready && opensInMs === 0).map(({ queue }) => queue);
    this.progress = 'none';
  }

  /** Whether any queue is claimed here. */
  get hasAny(): boolean {
    return this.gates.length > 0;
  }

  /** Whether a queue is claimed here. */
  has(queue: string): boolean {
    return this.gates.some((gate) => gate.queue === queue);
  }

  /**
   * The ledger has taken the end of an attempt, which leaves room that nothing else tells of. It may be one that the look
   * which is under way has still seen running, so the last look does not tell whether that matters.
   */
  recorded(queue: string, record: AttemptRecord): void {
    const gate = this.gates.find((known) => known.queue === queue);
    if (gate?.hasBreaker === true) this.breakers.note(queue, record);
    if (gate !== undefined) this.dependencies.onRoom();
  }

  /** How much to ask for: equal shares of the slots for each open queue and, with `others`, for all the rest together. */
  quotas(slots: number, { others }: { readonly others: boolean }): readonly Quota[] {
    const contenders = others ? [...this.open, OTHERS] : this.open;
    if (slots <= 0 || this.open.length === 0) return [];
    const shares = shareOut(slots, contenders, this.turn++ % contenders.length);
    return this.open
      .map((queue) => ({ queue, take: shares.get(queue) ?? 0, start: shares.get(queue) ?? 0 }))
      .filter(({ take }) => take > 0);
  }

  /** Claims, and forgets queues that gave less than asked. */
  async claim(quotas: readonly Quota[], request: Omit<ClaimRequest, 'quotas'>): Promise<readonly ClaimedExecution[]> {
    const { claimed, isBusy } = await this.dependencies.store.claimGated({ ...request, quotas });
    if (claimed.length > 0) this.progress = 'claimed';
    else if (isBusy && this.progress === 'none') this.progress = 'busy';
    this.open = this.open.filter((queue) => !isExhausted(queue, quotas, claimed));
    return claimed;
  }

  /** When to look again. What was claimed has changed the room, so that only another look can tell. */
  get nextInMs(): number | null {
    if (this.progress === 'claimed') return 0;
    const opening = this.gates.flatMap(({ ready, opensInMs }) =>
      ready && opensInMs !== null && opensInMs > 0 ? opensInMs : [],
    );
    const waits = this.progress === 'busy' ? [...opening, jittered(2 * SHORTEST_MS)] : opening;
    return waits.length === 0 ? null : Math.max(Math.min(...waits), SHORTEST_MS);
  }
}
