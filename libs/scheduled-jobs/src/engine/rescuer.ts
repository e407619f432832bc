import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { RescuedExecution, WorkStore } from '../core/ports/work-store.js';
import { Loop } from './loop.js';
import type { WakeTimer } from './wake-timer.js';

export interface RescuerDependencies {
  readonly store: Pick<WorkStore, 'rescue' | 'admit'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** The shortest lease of the worker's jobs. It looks three times in that time, or at every poll if that is more often. */
  readonly leaseMs: number;
  readonly pollIntervalMs: number;
  /** Executions can be claimed that could not before. */
  readonly onRescued: () => void;
  readonly timer?: WakeTimer;
}

const BATCH_SIZE = 100;
/** A poll comes a bit later than its interval says; then it still stands for a look of the rescuer. */
const LATENESS_MS = 100;
const INTERVAL_MS = { min: 250, max: 30_000 } as const;

/**
 * Takes executions over whose worker fell silent. Any worker does this, of any job; the database's clock alone says that
 * a lease has run out, and its row locks give each execution to one rescuer.
 */
export class Rescuer {
  private readonly loop: Loop;
  private readonly intervalMs: number;
  /** When it was last looked for leases that ran out, by whatever statement, on the monotonic clock. */
  private lookedMs = Number.NEGATIVE_INFINITY;
  /** Until then a look for work stands for one of its own. */
  private clearUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly dependencies: RescuerDependencies) {
    const { leaseMs, pollIntervalMs, emit, timer } = dependencies;
    const wishedMs = Math.min(leaseMs / 3, pollIntervalMs, INTERVAL_MS.max);
    this.intervalMs = Math.max(wishedMs, INTERVAL_MS.min);
    this.loop = new Loop({ service: 'rescuer', turn: () => this.turn(), emit, timer });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Whether the next look for work should also tell if a lease ran out, which saves an idle worker a statement. */
  get wantsLook(): boolean {
    return this.dependencies.clock.monotonicMs() - this.lookedMs >= this.intervalMs / 2;
  }

  /** What a look for work told that began at `startedMs`. */
  looked(expired: boolean, startedMs: number): void {
    this.lookedMs = startedMs;
    this.clearUntilMs = expired ? Number.NEGATIVE_INFINITY : startedMs + this.intervalMs + LATENESS_MS;
    if (expired) this.loop.wake();
  }

  private async turn(): Promise<number> {
    const { store, clock, emit, onRescued } = this.dependencies;
    const startedMs = clock.monotonicMs();
    if (startedMs < this.clearUntilMs) return this.clearUntilMs - startedMs;
    this.lookedMs = startedMs;
    const rescued = await store.rescue(BATCH_SIZE, clock.boundNow());
    for (const { executionId, ending, workerId } of rescued) {
      emit({ type: 'execution.rescued', executionId, ending, workerId });
    }
    await this.admitFreed(rescued);
    if (rescued.length > 0) onRescued();
    if (rescued.length === BATCH_SIZE) return 0;
    // The next look for work comes at about the same time as the next turn: it goes first, and stands for it.
    this.clearUntilMs = startedMs + this.intervalMs + LATENESS_MS;
    return this.intervalMs;
  }

  private async admitFreed(rescued: readonly RescuedExecution[]): Promise<void> {
    const { store, clock } = this.dependencies;
    const freedKeys = new Set(rescued.flatMap(({ freedKey }) => freedKey ?? []));
    if (freedKeys.size > 0) await store.admit([...freedKeys], clock.boundNow());
  }
}
