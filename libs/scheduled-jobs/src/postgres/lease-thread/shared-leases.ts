import type { Lease } from '../../core/execution/claimed-execution.js';
import type { SharedLease } from '../../core/ports/keeper-thread.js';

/** The cell of the instant at which the event loop turned last; the places of leases follow. */
const TURNED = 0;
const HEADER_CELLS = 1;
/** The cells of one place. A place is free while its id is 0. */
const ID = 0;
const TOKEN = 1;
const STARTED_MS = 2;
const LEASE_MS = 3;
const LIMIT_MS = 4;
const RENEWED_TOKEN = 5;
const RENEWED = 6;
const PLACE_CELLS = 7;

/**
 * Leases in memory that two threads see. The event loop writes them, the keeper thread reads them and writes when it has
 * renewed one. Instants are nanoseconds of the monotonic clock, which all threads of a process share.
 *
 * A reader may meet a place while it changes: it takes only what looks the same before and after. A token that is stale
 * all the same renews nothing, because the renewal is fenced.
 */
export class SharedLeases {
  readonly capacity: number;
  private readonly cells: BigInt64Array;

  constructor(readonly memory: SharedArrayBuffer) {
    this.cells = new BigInt64Array(memory);
    this.capacity = (this.cells.length - HEADER_CELLS) / PLACE_CELLS;
  }

  static withCapacity(capacity: number): SharedLeases {
    const cells = HEADER_CELLS + capacity * PLACE_CELLS;
    const leases = new SharedLeases(new SharedArrayBuffer(cells * BigInt64Array.BYTES_PER_ELEMENT));
    leases.turned();
    return leases;
  }

  turned(): void {
    Atomics.store(this.cells, TURNED, process.hrtime.bigint());
  }

  /** How long ago the event loop turned, milliseconds. */
  silentMs(): number {
    return ageMs(Atomics.load(this.cells, TURNED));
  }

  put(place: number, { executionId, leaseToken, startedAt, leaseMs, blockedLoopLimitMs }: SharedLease): void {
    this.write(place, TOKEN, BigInt(leaseToken));
    this.write(place, STARTED_MS, BigInt(startedAt.getTime()));
    this.write(place, LEASE_MS, BigInt(leaseMs));
    this.write(place, LIMIT_MS, BigInt(blockedLoopLimitMs));
    this.write(place, ID, BigInt(executionId));
  }

  clear(place: number): void {
    this.write(place, ID, 0n);
  }

  /** The lease in a place; null = there is none, or it is being written at this moment. */
  at(place: number): SharedLease | null {
    const id = this.read(place, ID);
    const token = this.read(place, TOKEN);
    const lease = {
      executionId: String(id),
      leaseToken: String(token),
      startedAt: new Date(Number(this.read(place, STARTED_MS))),
      leaseMs: Number(this.read(place, LEASE_MS)),
      blockedLoopLimitMs: Number(this.read(place, LIMIT_MS)),
    };
    const isWhole = id !== 0n && this.read(place, ID) === id && this.read(place, TOKEN) === token;
    return isWhole ? lease : null;
  }

  /** Notes that a renewal sent at `sentAt` was answered. */
  renewed(place: number, { leaseToken }: Lease, sentAt: bigint): void {
    this.write(place, RENEWED_TOKEN, 0n);
    this.write(place, RENEWED, sentAt);
    this.write(place, RENEWED_TOKEN, BigInt(leaseToken));
  }

  renewedAgoMs(place: number, { leaseToken }: Lease): number | null {
    const token = BigInt(leaseToken);
    if (this.read(place, RENEWED_TOKEN) !== token) return null;
    const sentAt = this.read(place, RENEWED);
    return this.read(place, RENEWED_TOKEN) === token ? ageMs(sentAt) : null;
  }

  private read(place: number, cell: number): bigint {
    return Atomics.load(this.cells, HEADER_CELLS + place * PLACE_CELLS + cell);
  }

  private write(place: number, cell: number, value: bigint): void {
    Atomics.store(this.cells, HEADER_CELLS + place * PLACE_CELLS + cell, value);
  }
}

const ageMs = (instant: bigint): number => Number(process.hrtime.bigint() - instant) / 1e6;
