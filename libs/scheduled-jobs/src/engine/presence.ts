import type { EventSink } from '../core/events/engine-event.js';
import type { JobDefinition } from '../core/job/job-definition.js';
import type { Clock } from '../core/ports/clock.js';
import type { InstanceFacts, InstanceStore } from '../core/ports/instance-store.js';
import type { ScheduleStore } from '../core/ports/schedule-store.js';
import { jittered } from './jittered.js';
import { Loop } from './loop.js';
import { safeSink } from './safe-sink.js';
import type { WakeTimer } from './wake-timer.js';

export interface PresenceDependencies {
  readonly store: Pick<ScheduleStore, 'carry'>;
  readonly instances: Pick<InstanceStore, 'seen' | 'stopped'>;
  /** What the process is at this moment. */
  readonly facts: () => InstanceFacts;
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
 * Says every 30 s that this process is alive and carries its schedules, whatever else it does: it keeps their definitions in
 * force, ends their orphanhood, and brings a definition back into force that nobody but this process carries any more.
 */
export class Presence {
  private readonly emit: EventSink;
  private readonly loop: Loop;
  /** The id under which the last turn has noted this process; null = that turn failed, or there was none. */
  private notedAs: string | null = null;

  constructor(private readonly dependencies: PresenceDependencies) {
    this.emit = safeSink(dependencies.emit);
    const { timer } = dependencies;
    this.loop = new Loop({ service: 'presence', turn: () => this.turn(), emit: this.emit, timer });
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the statement that is going on, at most 5 s; safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stopSoon();
  }

  /**
   * Stops, and says that this process has: call it when nothing of it works any more. It is left unsaid where the last
   * statement failed, so that a database that is away does not hold up the close. Safe to call twice.
   */
  async leave(): Promise<void> {
    await this.stop();
    const id = this.notedAs;
    this.notedAs = null;
    // Unsaid, others find out within two minutes.
    if (id !== null)
      await this.dependencies.instances.stopped(id, this.dependencies.clock.boundNow()).catch(() => undefined);
  }

  private async turn(): Promise<number> {
    const { instances, facts, clock, random } = this.dependencies;
    this.notedAs = null;
    await this.carry();
    const own = facts();
    await instances.seen(own, clock.boundNow());
    this.notedAs = own.instanceId;
    return jittered(INTERVAL_MS, random);
  }

  /** Nothing in a process without schedules. */
  private async carry(): Promise<void> {
    const { store, definitions, clock, release } = this.dependencies;
    if (definitions.every(({ schedule }) => schedule === null)) return;
    const changes = await store.carry(definitions, clock.boundNow(), release);
    for (const { jobName: job, ...change } of changes) this.emit({ type: 'schedule.registered', job, ...change });
  }
}
