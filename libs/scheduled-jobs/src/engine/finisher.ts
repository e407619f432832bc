import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';
import type { EventSink } from '../core/events/engine-event.js';
import type { AttemptRecord, RecordedAttempt } from '../core/execution/attempt-record.js';
import type { Clock } from '../core/ports/clock.js';
import type { WorkStore } from '../core/ports/work-store.js';
import { FailurePause } from './failure-pause.js';
import type { HeldExecution } from './held-execution.js';
import { Loop } from './loop.js';

export interface FinisherDependencies {
  readonly store: Pick<WorkStore, 'finish' | 'admit'>;
  readonly clock: Clock;
  readonly emit: EventSink;
  readonly workerId: string;
  /** Slots of concurrency keys were given on: there may be work that could not run before. */
  readonly onAdmitted: () => void;
}

class Pending {
  constructor(
    readonly held: HeldExecution,
    readonly record: AttemptRecord,
    readonly resolve: (answer: RecordedAttempt | null) => void,
  ) {}
}

const MAX_BATCH = 1_000;
const MAX_PAUSE_MS = 5_000;
/** Nothing to record: the next record wakes the loop. */
const IDLE_MS = 3_600_000;

/**
 * Records the ends of attempts, many in one statement: while one is under way, the next ones gather.
 *
 * A record that the ledger did not take was fenced out: somebody else has the execution. While the database
 * cannot be reached, a record is kept for as long as its lease may be valid, and then given up: the execution will run
 * again. The slots that ended executions leave are given on in the same turn.
 */
export class Finisher {
  private readonly loop: Loop;
  private readonly pending: Pending[] = [];
  private accepting = false;

  constructor(private readonly dependencies: FinisherDependencies) {
    this.loop = new Loop({
      service: 'finisher',
      turn: () => this.turn(),
      emit: dependencies.emit,
      pause: new FailurePause({ maxMs: MAX_PAUSE_MS }),
    });
  }

  start(): void {
    this.accepting = true;
    this.loop.start();
  }

  /** Waits for the statement that is under way and gives the rest up. */
  async stop(): Promise<void> {
    this.accepting = false;
    await this.loop.stop();
    this.giveUp(this.pending.splice(0));
  }

  /** Records the end of an attempt. Null = it did not count: the lease was lost. */
  record(held: HeldExecution, record: AttemptRecord): Promise<RecordedAttempt | null> {
    held.isEnding = true;
    return new Promise((resolve) => {
      const pending = new Pending(held, record, resolve);
      if (!this.accepting) return this.giveUp([pending]);
      this.pending.push(pending);
      this.loop.wake();
    });
  }

  private async turn(): Promise<number> {
    // The first end of many that this turn of the event loop brings must not be recorded alone.
    await nextTurnOfEventLoop();
    const batch = this.pending.splice(0, MAX_BATCH);
    if (batch.length === 0) return IDLE_MS;
    const answers = await this.finish(batch);
    this.deliver(batch, inOrder(batch, answers));
    await this.admitFreed(answers);
    return this.pending.length > 0 ? 0 : IDLE_MS;
  }

  private async finish(batch: readonly Pending[]): Promise<readonly RecordedAttempt[]> {
    const { store, clock, workerId } = this.dependencies;
    const records = batch.map(({ record }) => record);
    try {
      return await store.finish(records, { workerId, now: clock.boundNow() });
    } catch (error) {
      this.keep(batch);
      throw error;
    }
  }

  /** What may still be recorded comes first in the next turn. */
  private keep(batch: readonly Pending[]): void {
    const nowMs = this.dependencies.clock.monotonicMs();
    const mayBeValid = ({ held }: Pending): boolean => held.leaseUntilMs > nowMs;
    this.pending.unshift(...batch.filter(mayBeValid));
    this.giveUp(batch.filter((pending) => !mayBeValid(pending)));
  }

  private deliver(batch: readonly Pending[], answers: readonly (RecordedAttempt | undefined)[]): void {
    for (const [place, pending] of batch.entries()) {
      const answer = answers[place];
      if (answer === undefined) this.giveUp([pending]);
      else pending.resolve(answer);
    }
  }

  private giveUp(pending: readonly Pending[]): void {
    for (const { held, resolve } of pending) {
      held.lose();
      resolve(null);
    }
  }

  /** If this fails, the next walk of any worker gives the slots on. */
  private async admitFreed(answers: readonly RecordedAttempt[]): Promise<void> {
    const { store, clock, onAdmitted } = this.dependencies;
    const freedKeys = new Set<string>();
    for (const { freedKey } of answers) if (freedKey !== null) freedKeys.add(freedKey);
    if (freedKeys.size === 0) return;
    if ((await store.admit([...freedKeys], clock.boundNow())) > 0) onAdmitted();
  }
}

/** The answer to each of a batch; most answers come in its order. */
function inOrder(
  batch: readonly Pending[],
  answers: readonly RecordedAttempt[],
): readonly (RecordedAttempt | undefined)[] {
  if (batch.every(({ record }, place) => answers[place]?.executionId === record.executionId)) return answers;
  const byExecution = new Map(answers.map((answer) => [answer.executionId, answer]));
  return batch.map(({ record }) => byExecution.get(record.executionId));
}
