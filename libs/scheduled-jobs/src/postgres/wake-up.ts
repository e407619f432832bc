import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { EventSink } from '../core/events/engine-event.js';
import type { Hint, WakeUp } from '../core/ports/wake-up.js';

/** How often a listener looks after its connection, in milliseconds. */
export interface ListenerTiming {
  /** Pause between two looks. Default 10,000. */
  readonly checkEveryMs: number;
  /** A look, a connection attempt or a goodbye that takes longer counts as failed. Default 5,000. */
  readonly checkTimeoutMs: number;
  /** The pause after the first failure, doubled with each further one. Default 250. */
  readonly firstPauseMs: number;
  /** Default 15,000. */
  readonly longestPauseMs: number;
}

const LISTENER_TIMING: ListenerTiming = {
  checkEveryMs: 10_000,
  checkTimeoutMs: 5_000,
  firstPauseMs: 250,
  longestPauseMs: 15_000,
};

/** What a listener needs. */
export interface ListenerOptions {
  readonly connection: pg.ClientConfig;
  readonly channel: string;
  readonly emit: EventSink;
  readonly timing?: Partial<ListenerTiming>;
}

/**
 * Listens for hints on a connection of its own and reconnects by itself. It asks the server now and then whether it is
 * still there, so that a connection that died in silence is noticed within 15 seconds. After each connection it hints
 * once, because something may have been missed meanwhile.
 */
export class PostgresWakeUp implements WakeUp {
  private readonly timing: ListenerTiming;
  private stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly options: ListenerOptions) {
    this.timing = { ...LISTENER_TIMING, ...options.timing };
  }

  start(onHint: (hint: Hint) => void): void {
    if (this.running !== null) return;
    this.stopping = new AbortController();
    this.running = this.run(onHint, this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.running = null;
  }

  private async run(onHint: (hint: Hint) => void, stopping: AbortSignal): Promise<void> {
    let failures = 0;
    const connected = (): void => {
      failures = 0;
      this.options.emit({ type: 'listener.connected' });
      onHint('work');
    };
    while (!stopping.aborted) {
      try {
        await this.listen(onHint, { connected, stopping });
      } catch (error) {
        if (failures === 0) this.options.emit({ type: 'listener.lost', error });
        failures += 1;
        await pause(this.pauseMs(failures), stopping);
      }
    }
  }

  /** Resolves when it was asked to stop, rejects when the connection is lost. */
  private async listen(
    onHint: (hint: Hint) => void,
    { connected, stopping }: { readonly connected: () => void; readonly stopping: AbortSignal },
  ): Promise<void> {
    const client = new pg.Client({
      application_name: 'scheduled-jobs listener',
      ...this.options.connection,
      connectionTimeoutMillis: this.timing.checkTimeoutMs,
    });
    const lost = whenLost(client);
    try {
      await client.connect();
      client.on('notification', ({ payload }) => onHint(payload === 'cancel' ? 'cancel' : 'work'));
      await this.inTime(client.query(`listen "${this.options.channel}"`));
      connected();
      await Promise.race([lost, this.lookAfter(client, stopping)]);
    } finally {
      await this.close(client);
    }
  }

  private async lookAfter(client: pg.Client, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await pause(this.timing.checkEveryMs, stopping);
      if (!stopping.aborted) await this.inTime(client.query('select 1'));
    }
  }

  private async close(client: pg.Client): Promise<void> {
    // A connection whose other side is gone never says goodbye.
    await this.inTime(client.end()).catch(() => {});
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  private async inTime(work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const late = wait(this.timing.checkTimeoutMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`The database did not answer the listener within ${this.timing.checkTimeoutMs} ms.`);
    });
    try {
      await Promise.race([work, late]);
    } finally {
      over.abort();
      late.catch(() => {});
    }
  }

  private pauseMs(failures: number): number {
    const { firstPauseMs, longestPauseMs } = this.timing;
    return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs) * (0.5 + Math.random() / 2);
  }
}

function whenLost(client: pg.Client): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.once('end', () => reject(new Error('The listener connection was closed.')));
  });
  lost.catch(() => {});
  return lost;
}

const pause = (ms: number, stopping: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal: stopping }).catch(() => {});

/** Hints from nowhere: work is found by polling alone. */
export class PollingOnly implements WakeUp {
  start(): void {}

  async stop(): Promise<void> {}
}
