import { Worker as Thread } from 'node:worker_threads';
import type { ClientConfig } from 'pg';
import type { EventSink } from '../../core/events/engine-event.js';
import type { Lease } from '../../core/execution/claimed-execution.js';
import type { KeeperThread, KeeperThreadSettings, SharedLease } from '../../core/ports/keeper-thread.js';
import { handedOver, type LeaseThreadData } from './lease-thread-data.js';
import { isShareable, SharedLeases } from './shared-leases.js';

/** The built file, by a path that is the same from the sources and from the package: a thread runs JavaScript only. */
const BUILT_FILE = new URL('../../../dist/postgres/lease-thread/main.js', import.meta.url);
/** The pause before a thread that died is replaced, doubled with each death. */
const PAUSE_MS = { first: 1_000, longest: 60_000 } as const;

export interface KeeperThreadOptions {
  readonly connection: ClientConfig;
  readonly schema: string;
  readonly emit: EventSink;
  /** The program of the thread. Default the built one. */
  readonly file?: URL;
}

/**
 * The keeper thread as the event loop sees it. It starts with the first shared lease, keeps no process alive, and one that
 * dies is replaced after a pause: without it, renewal is left to the event loop.
 */
class PostgresKeeperThread implements KeeperThread {
  readonly problem = null;
  private leases: SharedLeases | null = null;
  private settings: KeeperThreadSettings | null = null;
  private readonly free: number[] = [];
  private thread: Thread | null = null;
  private restart: NodeJS.Timeout | undefined;
  private deaths = 0;

  constructor(private readonly options: KeeperThreadOptions) {}

  start(settings: KeeperThreadSettings): void {
    this.settings = settings;
  }

  async stop(): Promise<void> {
    const { thread } = this;
    clearTimeout(this.restart);
    this.settings = null;
    this.leases = null;
    this.thread = null;
    this.deaths = 0;
    await thread?.terminate();
  }

  turned(): void {
    this.leases?.turned();
  }

  share(lease: SharedLease): number | null {
    const leases = this.leases ?? this.open();
    if (!isShareable(lease)) return null;
    const place = this.free.pop();
    if (leases === null || place === undefined) return null;
    leases.put(place, lease);
    return place;
  }

  unshare(place: number): void {
    if (this.leases === null) return;
    this.leases.clear(place);
    this.free.push(place);
  }

  renewedAgoMs(place: number, lease: Lease): number | null {
    return this.leases?.renewedAgoMs(place, lease) ?? null;
  }

  private open(): SharedLeases | null {
    if (this.settings === null) return null;
    const { capacity } = this.settings;
    this.leases = SharedLeases.withCapacity(capacity);
    this.free.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: capacity }, (_, place) => place));
    this.startThread(this.leases);
    return this.leases;
  }

  private startThread({ memory }: SharedLeases): void {
    const { connection, schema, file = BUILT_FILE } = this.options;
    const { checkEveryMs } = this.settings ?? { checkEveryMs: 0 };
    const workerData: LeaseThreadData = { memory, checkEveryMs, connection, schema };
    const thread = new Thread(file, { name: 'scheduled-jobs-keeper', workerData });
    let cause: unknown = new Error('The keeper thread ended.');
    thread.on('error', (error) => (cause = error));
    thread.on('message', (text: string) => this.failed(new Error(`The keeper thread: ${text}`), checkEveryMs));
    thread.once('exit', () => this.died(thread, cause));
    thread.unref();
    this.thread = thread;
  }

  /** Replaces a thread that ended by itself. */
  private died(thread: Thread, error: unknown): void {
    if (this.thread !== thread) return;
    this.thread = null;
    const retryInMs = Math.min(PAUSE_MS.first * 2 ** Math.min(this.deaths++, 30), PAUSE_MS.longest);
    this.failed(error, retryInMs);
    this.restart = setTimeout(() => {
      if (this.leases !== null) this.startThread(this.leases);
    }, retryInMs).unref();
  }

  private failed(error: unknown, retryInMs: number): void {
    this.options.emit({ type: 'service.failed', service: 'keeper-thread', error, retryInMs });
  }
}

/** No thread: the event loop alone renews leases. */
class NoKeeperThread implements KeeperThread {
  constructor(readonly problem: string) {}

  start(): void {}
  async stop(): Promise<void> {}
  turned(): void {}
  share(): null {
    return null;
  }
  unshare(): void {}
  renewedAgoMs(): null {
    return null;
  }
}

/** A keeper thread that connects with these options, or none where they cannot be handed to a thread. */
export function createKeeperThread(options: KeeperThreadOptions): KeeperThread {
  const given = handedOver(options.connection);
  if (given.refused === null) return new PostgresKeeperThread({ ...options, connection: given.connection });
  const names = given.refused.map((name) => `"${name}"`).join(', ');
  return new NoKeeperThread(
    `The connection options ${names} hold functions or objects that cannot be handed to a thread, so leases are renewed by the event loop alone: a handler that blocks it for longer than its lease loses it. Give plain values, such as a password as text, to have them renewed meanwhile.`,
  );
}
