import { Inject, Injectable, type MessageEvent, type OnModuleDestroy, Optional } from '@nestjs/common';
import { EMPTY, Observable, type Subscriber } from 'rxjs';
import { changesBetween, toWatch } from '../../core/browse/changes.js';
import type { ChangeSnapshot } from '../../core/ports/change-reader.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { ProblemException } from '../answers/problem.js';
import type { ApiRequest } from '../requests/read-query.js';

const MAX_READERS = 100;
const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 10_000;
const HEARTBEAT_MS = 15_000;
/** Then a reader connects anew, and guards are asked anew. */
const OPEN_FOR_MS = 10 * 60_000;
/** What a reader has not taken by then when the application closes, it is not told. */
const LEAVE_WITHIN_MS = 1_000;

type Socket = ApiRequest['socket'];

/** As many pages are live in this process as may be. */
class TooManyStreamsException extends ProblemException {
  constructor() {
    super(
      429,
      'JOBS_TOO_MANY_STREAMS',
      `${MAX_READERS} streams are open in this process already. Close some, or read without a stream.`,
    );
  }
}

/**
 * Tells all readers what has changed. While there is any, this process looks once a second, however many there are; what
 * changes in between is seen once, in its last state.
 */
@Injectable()
export class ChangeFeed implements OnModuleDestroy {
  private readonly readers = new Map<Subscriber<MessageEvent>, Socket>();
  private isClosing = false;
  private last: ChangeSnapshot | null = null;
  private timer: NodeJS.Timeout | null = null;
  private silentMs = 0;
  /** Grows when nobody is left: a look that was under way belongs to nobody then. */
  private watch = 0;

  // Where the ledger was not imported, JobsHttpModule says so.
  constructor(@Optional() @Inject(STORES) private readonly stores: Stores) {}

  /** @throws TooManyStreamsException when 100 readers are there. */
  open(socket?: Socket): Observable<MessageEvent> {
    if (this.isClosing) return EMPTY;
    if (this.readers.size >= MAX_READERS) throw new TooManyStreamsException();
    return new Observable((reader) => {
      this.readers.set(reader, socket);
      this.timer ??= this.lookAfter(0);
      const end = setTimeout(() => reader.complete(), OPEN_FOR_MS).unref();
      return () => {
        clearTimeout(end);
        this.leave(reader);
      };
    });
  }

  /** A server does not stop before its streams have ended. */
  onModuleDestroy(): void {
    this.isClosing = true;
    const sockets = [...this.readers.values()];
    for (const reader of this.readers.keys()) reader.complete();
    // Nor before one that reads nothing has taken its end.
    setTimeout(() => sockets.forEach(cutWhenStuck), LEAVE_WITHIN_MS).unref();
  }

  private leave(reader: Subscriber<MessageEvent>): void {
    this.readers.delete(reader);
    if (this.readers.size > 0) return;
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    this.last = null;
    this.watch += 1;
  }

  private lookAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.look(ms), ms).unref();
  }

  private async look(waitedMs: number): Promise<void> {
    const { watch } = this;
    const next = await this.stores.changes.snapshot(this.last === null ? [] : toWatch(this.last)).catch(() => null);
    if (watch !== this.watch) return;
    if (this.last === null && next !== null) this.send({ comment: 'changes are told from now on' });
    const changes = next === null || this.last === null ? [] : changesBetween(this.last, next);
    for (const data of changes) this.send({ type: 'change', data });
    this.silentMs = changes.length > 0 ? 0 : this.silentMs + waitedMs;
    if (this.silentMs >= HEARTBEAT_MS) {
      this.send({ comment: 'still here' });
      this.silentMs = 0;
    }
    this.last = next ?? this.last;
    this.timer = this.lookAfter(next === null ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
  }

  private send(event: MessageEvent): void {
    for (const reader of this.readers.keys()) reader.next(event);
  }
}

const cutWhenStuck = (socket: Socket): void => {
  if (socket !== undefined && socket.writableLength > 0) socket.destroy();
};
