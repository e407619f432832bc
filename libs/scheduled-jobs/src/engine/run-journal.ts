import type { EventSink } from '../core/events/engine-event.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import type { Clock } from '../core/ports/clock.js';
import type { LogLine, ProgressUpdate, WorkStore } from '../core/ports/work-store.js';
import { Loop } from './loop.js';
import { within } from './within.js';

export interface RunJournalDependencies {
  readonly store: Pick<WorkStore, 'saveProgress' | 'appendLogs'>;
  readonly clock: Clock;
  readonly emit: EventSink;
}

/** Between two writes of what runs tell about themselves. */
const INTERVAL_MS = 1_000;
/** Lines kept while the database cannot be reached; later ones are left out. */
const MAX_PENDING_LINES = 10_000;
const IDLE_MS = 3_600_000;

/**
 * Writes log lines and progress of all runs of a worker, in one statement each and at most once a second: a handler may
 * tell as often as it likes. Nothing here may hold up or fail the run that tells.
 */
export class RunJournal {
  private readonly loop: Loop;
  private readonly lines: LogLine[] = [];
  private beingWritten: readonly LogLine[] = [];
  private readonly progress = new Map<string, ProgressUpdate>();
  private writing: Promise<void> = Promise.resolve();
  private failure: { readonly error: unknown } | null = null;
  private isAwake = false;
  private lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly dependencies: RunJournalDependencies) {
    this.loop = new Loop({ service: 'run-journal', turn: () => this.turn(), emit: dependencies.emit });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  append(line: LogLine): void {
    if (this.lines.length >= MAX_PENDING_LINES) return;
    this.lines.push(line);
    this.wakeUp();
  }

  /** Only the latest progress of a run is kept. */
  show(update: ProgressUpdate): void {
    this.progress.set(update.leaseToken, update);
    this.wakeUp();
  }

  /** Writes the lines of a run that ends; waits for it at most `withinMs`. */
  async close({ leaseToken }: Lease, { withinMs }: { readonly withinMs: number }): Promise<void> {
    this.progress.delete(leaseToken);
    const ofRun = (line: LogLine): boolean => line.leaseToken === leaseToken;
    if (this.lines.some(ofRun)) void this.write();
    else if (!this.beingWritten.some(ofRun)) return;
    await within(withinMs, this.writing);
  }

  /** Wakes the loop unless it looks by itself until everything is written. */
  private wakeUp(): void {
    if (this.isAwake) return;
    this.isAwake = true;
    this.loop.wake();
  }

  private async turn(): Promise<number> {
    this.isAwake = this.lines.length > 0 || this.progress.size > 0;
    if (!this.isAwake) return IDLE_MS;
    const sinceMs = this.dependencies.clock.monotonicMs() - this.lastWriteMs;
    // After a failure the pause was the wait; a turn that only waits would make the next pause a first one again.
    if (this.failure === null && sinceMs < INTERVAL_MS) return INTERVAL_MS - sinceMs;
    await this.write();
    if (this.failure !== null) throw this.failure.error;
    return INTERVAL_MS;
  }

  /** One write at a time, so that the lines of a run arrive in order. Never rejects. */
  private write(): Promise<void> {
    this.writing = this.writeAfter(this.writing);
    return this.writing;
  }

  private async writeAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    try {
      await this.writeNow();
      this.failure = null;
    } catch (error) {
      this.failure = { error };
    }
  }

  private async writeNow(): Promise<void> {
    const { store, clock } = this.dependencies;
    this.lastWriteMs = clock.monotonicMs();
    this.beingWritten = this.lines.splice(0);
    try {
      const updates = [...this.progress.values()];
      this.progress.clear();
      if (updates.length > 0) await store.saveProgress(updates);
      if (this.beingWritten.length > 0) await store.appendLogs(this.beingWritten);
    } catch (error) {
      const room = Math.max(MAX_PENDING_LINES - this.lines.length, 0);
      this.lines.unshift(...this.beingWritten.slice(0, room));
      throw error;
    } finally {
      this.beingWritten = [];
    }
  }
}
