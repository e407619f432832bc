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
const RENEWED_MS = 6;
const PLACE_CELLS = 7;

/**
 * Leases in memory that two threads see. The event loop writes them, the keeper thread reads them and writes when it has
 * renewed one. Instants are milliseconds of the monotonic clock, which all threads of a process share.
 *
 * Plain cells, because every execution of a worker passes through here. A reader may meet a place while it changes: it takes
 * only what looks the same before and after, and a token that does not belong to its id renews nothing, for the renewal is
 * fenced.
 */
export class SharedLeases {
  readonly capacity: number;
  private readonly cells: Float64Array;

  constructor(readonly memory: SharedArrayBuffer) {
    this.cells = new Float64Array(memory);
    this.capacity = (this.cells.length - HEADER_CELLS) / PLACE_CELLS;
  }

  static withCapacity(capacity: number): SharedLeases {
    const cells = HEADER_CELLS + capacity * PLACE_CELLS;
    const leases = new SharedLeases(new SharedArrayBuffer(cells * Float64Array.BYTES_PER_ELEMENT));
    leases.turned();
    return leases;
  }

  turned(): void {
    this.cells[TURNED] = monotonicMs();
  }

  /** How long ago the event loop turned, milliseconds. */
  silentMs(): number {
    return monotonicMs() - (this.cells[TURNED] ?? 0);
  }

  put(place: number, { executionId, leaseToken, startedAt, leaseMs, blockedLoopLimitMs }: SharedLease): void {
    const { cells } = this;
    const at = cellOf(place);
    cells[at + TOKEN] = Number(leaseToken);
    cells[at + STARTED_MS] = startedAt.getTime();
    cells[at + LEASE_MS] = leaseMs;
    cells[at + LIMIT_MS] = blockedLoopLimitMs;
    cells[at + ID] = Number(executionId);
  }

  clear(place: number): void {
    this.cells[cellOf(place) + ID] = 0;
  }

  /** The lease in a place; null = there is none, or it is being written at this moment. */
  at(place: number): SharedLease | null {
    const [id, token] = this.owner(place);
    const lease = {
      executionId: String(id),
      leaseToken: String(token),
      startedAt: new Date(this.read(place, STARTED_MS)),
      leaseMs: this.read(place, LEASE_MS),
      blockedLoopLimitMs: this.read(place, LIMIT_MS),
    };
    const [sameId, sameToken] = this.owner(place);
    return id !== 0 && sameId === id && sameToken === token ? lease : null;
  }

  /** Notes that a renewal sent at `sentMs` was answered. */
  renewed(place: number, { leaseToken }: Lease, sentMs: number): void {
    const at = cellOf(place);
    this.cells[at + RENEWED_TOKEN] = 0;
    this.cells[at + RENEWED_MS] = sentMs;
    this.cells[at + RENEWED_TOKEN] = Number(leaseToken);
  }

  renewedAgoMs(place: number, { leaseToken }: Lease): number | null {
    const token = Number(leaseToken);
    if (this.read(place, RENEWED_TOKEN) !== token) return null;
    const sentMs = this.read(place, RENEWED_MS);
    return this.read(place, RENEWED_TOKEN) === token ? monotonicMs() - sentMs : null;
  }

  private owner(place: number): readonly [id: number, token: number] {
    return [this.read(place, ID), this.read(place, TOKEN)];
  }

  private read(place: number, cell: number): number {
    return this.cells[cellOf(place) + cell] ?? 0;
  }
}

/** Of the clock that all threads of a process share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Tells whether numbers can hold it exactly; ids and tokens grow by one, so they do. */
export const isShareable = ({ executionId, leaseToken }: Lease): boolean => isSafe(executionId) && isSafe(leaseToken);

/** All of so few digits are safe, and need not be read. */
const SAFE_DIGITS = 15;
const isSafe = (digits: string): boolean => digits.length <= SAFE_DIGITS || Number.isSafeInteger(Number(digits));

const cellOf = (place: number): number => HEADER_CELLS + place * PLACE_CELLS;
