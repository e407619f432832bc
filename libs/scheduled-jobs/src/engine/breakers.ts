import type { EventSink } from '../core/events/engine-event.js';
import type { AttemptRecord } from '../core/execution/attempt-record.js';
import type { Clock } from '../core/ports/clock.js';
import type { QueueStore } from '../core/ports/queue-store.js';
import { callFailed, type Verdict } from '../core/queue/breaker.js';
import { Loop } from './loop.js';

export interface BreakersDependencies {
  readonly store: Pick<QueueStore, 'recordVerdicts'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** A breaker closed: there may be work that could not run before. */
  readonly onClosed: () => void;
}

const MAX_BATCH = 1_000;
/** Of a database that does not answer; older verdicts say less and less. */
const MAX_PENDING = 10_000;
/** Nothing to count: the next verdict wakes the loop. */
const IDLE_MS = 3_600_000;

/**
 * Tells the breakers of queues how attempts have ended, many in one statement: while one is under way, the next ones gather.
 * Breakers live in the database alone. What a process that dies has not told is not counted, which a breaker can bear: a
 * probe whose verdict never came is replaced by another one.
 */
export class Breakers {
  private readonly loop: Loop;
  private readonly pending: Verdict[] = [];

  constructor(private readonly dependencies: BreakersDependencies) {
    this.loop = new Loop({ service: 'breakers', turn: () => this.turn(), emit: dependencies.emit });
  }

  start(): void {
    this.loop.start();
  }

  /** Tells the rest; what cannot be told now is given up. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.turn().catch(() => undefined);
  }

  /** Notes how an attempt of a queue with a breaker has ended. */
  note(queue: string, record: AttemptRecord): void {
    const failed = callFailed(record);
    if (failed === null) return;
    if (this.pending.length >= MAX_PENDING) this.pending.shift();
    this.pending.push({ queue, leaseToken: record.leaseToken, failed });
    this.loop.wake();
  }

  private async turn(): Promise<number> {
    const { store, clock, emit, onClosed } = this.dependencies;
    const batch = this.pending.splice(0, MAX_BATCH);
    if (batch.length === 0) return IDLE_MS;
    const changes = await store.recordVerdicts(batch, clock.boundNow()).catch((error: unknown) => {
      this.pending.unshift(...batch.slice(0, MAX_PENDING - this.pending.length));
      throw error;
    });
    for (const { change, ...about } of changes) emit({ type: `breaker.${change}`, ...about });
    if (changes.some(({ change }) => change === 'closed')) onClosed();
    return this.pending.length > 0 ? 0 : IDLE_MS;
  }
}
