import type { EventSink } from '../core/events/engine-event.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import type { Clock } from '../core/ports/clock.js';
import type { ScheduleStore } from '../core/ports/schedule-store.js';
import { jittered } from './jittered.js';
import { Loop } from './loop.js';
import { safeSink } from './safe-sink.js';
import type { WakeTimer } from './wake-timer.js';

export interface PresenceDependencies {
  readonly store: Pick<ScheduleStore, 'carry'>;
  readonly definitions: readonly JobDefinition[];
  /** Null = the application states none. */
  readonly release: number | null;
  readonly clock: Pick<Clock, 'boundNow'>;
  readonly emit: EventSink;
  readonly timer?: WakeTimer;
  /** 0 … 1; default `Math.random`. */
  readonly random?: () => number;
}

const INTERVAL_MS = 30_000;

/**
 * Says every 30 s that this process carries its schedules, whatever else it does: it keeps their definitions in force, ends
 * their orphanhood, and brings a definition back into force that nobody but this process carries any more.
 */
export class Presence {
  private readonly emit: EventSink;
  private readonly loop: Loop;

  constructor(private readonly dependencies: PresenceDependencies) {
    this.emit = safeSink(dependencies.emit);
    const { timer } = dependencies;
    this.loop = new Loop({ service: 'presence', turn: () => this.turn(), emit: this.emit, timer });
  }

  /** Does nothing in a process without schedules. Safe to call twice. */
  start(): void {
    if (this.dependencies.definitions.some(({ schedule }) => schedule !== null)) this.loop.start();
  }

  /** Waits for the statement that is going on, at most 5 s; safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stopSoon();
  }

  private async turn(): Promise<number> {
    const { store, definitions, clock, release, random } = this.dependencies;
    const changes = await store.carry(definitions, clock.boundNow(), release);
    for (const { jobName: job, ...change } of changes) this.emit({ type: 'schedule.registered', job, ...change });
    return jittered(INTERVAL_MS, random);
  }
}
