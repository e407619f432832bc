import type { HeldExecution, LeaseWatcher } from './held-execution.js';
import { Prefetch } from './prefetch.js';
import type { Room } from './work-finder.js';

export interface AttemptPoolOptions {
  readonly concurrency: number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** Makes the attempt; `slotFreed` is called when its handler has settled. Resolves when its end is recorded; never rejects. */
  readonly run: (held: HeldExecution, slotFreed: () => void) => Promise<void>;
  /** Hands executions back that were not started. Resolves when that is recorded; never rejects. */
  readonly release: (held: HeldExecution) => Promise<void>;
  /** There is room for more. */
  readonly onRoom: () => void;
}

/** An execution in the buffer: what nobody wants to run any more does not wait. */
class Waiting implements LeaseWatcher {
  constructor(
    readonly held: HeldExecution,
    readonly sinceMs: number,
    private readonly leave: (waiting: Waiting) => void,
  ) {}

  lost(): void {
    this.leave(this);
  }

  cancelRequested(): void {
    this.leave(this);
  }
}

/** Longer than this nothing waits in the buffer: another worker may have a free slot. */
const MAX_WAIT_MS = 500;

/** While so many ends wait to be recorded nothing new starts: short jobs may end faster than the database takes it. */
export const MAX_UNRECORDED = 2_000;

/**
 * A full buffer never leaves a slot free for a claim. As often as this it runs dry, so that what is claimed only into a free
 * slot gets its turn.
 */
const FREE_SLOT_EVERY_MS = 5_000;

/**
 * The slots of a worker and the short buffer in front of them. A slot is taken from the start of an attempt until its
 * handler has settled, also when nobody waits for the handler any longer; recording the end takes no slot, up to a bound.
 */
export class AttemptPool {
  private running = 0;
  private buffer: Waiting[] = [];
  private unrecorded = 0;
  private readonly onSettled: (() => void)[] = [];
  private readonly leave = (waiting: Waiting): void => {
    const place = this.buffer.indexOf(waiting);
    if (place < 0) return;
    this.buffer.splice(place, 1);
    this.handBack(waiting.held);
  };
  private readonly recorded = (): void => {
    this.unrecorded--;
    if (this.unrecorded - this.running === MAX_UNRECORDED - 1) this.refill();
    if (this.unrecorded === 0) for (const resolve of this.onSettled.splice(0)) resolve();
  };
  private readonly prefetch: Prefetch;
  private isOpen = true;
  private hadFreeSlotMs: number;

  constructor(private readonly options: AttemptPoolOptions) {
    this.prefetch = new Prefetch(options.concurrency);
    this.hadFreeSlotMs = options.monotonicMs();
  }

  /** Handlers that have not settled. */
  get runningCount(): number {
    return this.running;
  }

  private get freeSlots(): number {
    if (this.unrecorded - this.running >= MAX_UNRECORDED) return 0;
    return this.isOpen ? Math.max(this.options.concurrency - this.running, 0) : 0;
  }

  /** Asked when a claim is sent: it is what has free slots. */
  get room(): Room {
    const start = this.freeSlots;
    if (start > 0) this.hadFreeSlotMs = this.options.monotonicMs();
    return { start, take: this.isOpen ? start + this.ahead(this.buffer.length) : 0 };
  }

  /**
   * The room for a claim that is sent before `arriving` executions are taken, so that the database is at it while they run.
   * None of it starts at once, and it is none or half a buffer.
   */
  roomBehind(arriving: number): Room {
    const take = this.ahead(this.buffer.length + Math.max(arriving - this.freeSlots, 0));
    return { start: 0, take: this.isOpen && take >= this.prefetch.size / 2 ? take : 0 };
  }

  /** Milliseconds after which something in the buffer has waited too long; null = the buffer is empty. */
  get staleInMs(): number | null {
    const [oldest] = this.buffer;
    return oldest === undefined ? null : Math.max(oldest.sinceMs + MAX_WAIT_MS - this.options.monotonicMs(), 0);
  }

  /** Starts an execution, or keeps it in the buffer. */
  take(held: HeldExecution): void {
    if (!this.isOpen) return this.handBack(held);
    if (this.freeSlots > 0) return this.start(held);
    const waiting = new Waiting(held, this.options.monotonicMs(), this.leave);
    this.buffer.push(waiting);
    held.watch(waiting);
  }

  /** Hands an execution back that was not started. */
  handBack(held: HeldExecution): void {
    this.record(this.options.release(held));
  }

  /** Hands back what has waited too long. */
  releaseStale(): void {
    if (this.staleInMs === 0) this.releaseBuffered();
  }

  /** From now on nothing starts; what waits is handed back. */
  close(): void {
    this.isOpen = false;
    this.releaseBuffered();
  }

  open(): void {
    this.isOpen = true;
  }

  /** Resolves when every end is recorded or given up. */
  async settled(): Promise<void> {
    while (this.unrecorded > 0) await new Promise<void>((resolve) => this.onSettled.push(resolve));
  }

  /** How many to claim into the buffer: half of it at a time, so that one half can be claimed while the other one runs. */
  private ahead(buffered: number): number {
    const mayFill = this.options.monotonicMs() - this.hadFreeSlotMs < FREE_SLOT_EVERY_MS;
    const ahead = mayFill ? Math.max(this.prefetch.size - buffered, 0) : 0;
    return Math.min(ahead, Math.ceil(this.prefetch.size / 2));
  }

  private releaseBuffered(): void {
    const waiting = this.buffer;
    this.buffer = [];
    for (const { held } of waiting) this.handBack(held);
  }

  private start(held: HeldExecution): void {
    const startedMs = this.options.monotonicMs();
    this.running++;
    const slotFreed = (): void => {
      this.running--;
      this.prefetch.note(this.options.monotonicMs() - startedMs);
      this.refill();
    };
    this.record(this.options.run(held, slotFreed));
  }

  private refill(): void {
    while (this.freeSlots > 0) {
      const next = this.buffer.shift();
      if (next === undefined) break;
      this.start(next.held);
    }
    if (this.isOpen && this.buffer.length <= this.prefetch.size / 2) this.options.onRoom();
  }

  private record(recorded: Promise<void>): void {
    this.unrecorded++;
    void recorded.then(this.recorded);
  }
}
