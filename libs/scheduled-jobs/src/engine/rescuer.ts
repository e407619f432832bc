import type { EventSink } from '../core/events/engine-event.js';
import type { Clock } from '../core/ports/clock.js';
import type { RescuedExecution, WorkStore } from '../core/ports/work-store.js';
import { Loop } from './loop.js';

export interface RescuerDependencies {
  readonly store: Pick<WorkStore, 'rescue' | 'admit'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** The shortest lease of the worker's jobs; it looks three times in that time, every 250 ms … 30 s. */
  readonly leaseMs: number;
  /** Executions can be claimed that could not before. */
  readonly onRescued: () => void;
}

const BATCH_SIZE = 100;
const INTERVAL_MS = { min: 250, max: 30_000 } as const;

/**
 * Takes executions over whose worker fell silent. Any worker does this, of any job; the database's clock alone says that
 * a lease has run out, and its row locks give each execution to one rescuer.
 */
export class Rescuer {
  private readonly loop: Loop;
  private readonly intervalMs: number;

  constructor(private readonly dependencies: RescuerDependencies) {
    this.intervalMs = Math.min(Math.max(dependencies.leaseMs / 3, INTERVAL_MS.min), INTERVAL_MS.max);
    this.loop = new Loop({ service: 'rescuer', turn: () => this.turn(), emit: dependencies.emit });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async turn(): Promise<number> {
    const { store, clock, emit, onRescued } = this.dependencies;
    const rescued = await store.rescue(BATCH_SIZE, clock.boundNow());
    for (const { executionId, ending, workerId } of rescued) {
      emit({ type: 'execution.rescued', executionId, ending, workerId });
    }
    await this.admitFreed(rescued);
    if (rescued.length > 0) onRescued();
    return rescued.length < BATCH_SIZE ? this.intervalMs : 0;
  }

  private async admitFreed(rescued: readonly RescuedExecution[]): Promise<void> {
    const { store, clock } = this.dependencies;
    const freedKeys = new Set(rescued.flatMap(({ freedKey }) => freedKey ?? []));
    if (freedKeys.size > 0) await store.admit([...freedKeys], clock.boundNow());
  }
}
