import type { ClaimedRow } from './statements/claim-work.sql.js';

/** A place in the order of a queue: nothing before it is looked at. */
export interface ClaimStart {
  readonly priority: number;
  readonly runSeconds: number;
  readonly id: string;
}

/** The beginning of every queue. */
const FRONT: ClaimStart = { priority: -32_768, runSeconds: Number.NEGATIVE_INFINITY, id: '0' };
/** A claim is slow when the server is at it for longer than this. */
const SLOW = { ms: 2, perRowMs: 0.1 } as const;
/** One may be slow by chance. */
const SLOW_IN_A_ROW = 5;
/** How long claims go on from known places, by what one from the front took. */
const REST = { factor: 20, maxMs: 1_000 } as const;

/**
 * Where claims begin. At the front of each queue, until that was slow for several times in a row: a transaction that
 * has been open for long keeps all in the index that has left the queue meanwhile, and each claim passes over it. From then on
 * they go on from the row that was claimed last, and begin at the front again when nothing is found, and after 20 times as
 * long as that takes, within a second at most. So little of the server's time is lost, and what comes in before that
 * place, by its priority or because it was handed back, waits no longer than that and the next look.
 */
export class ClaimStarts {
  private slowInARow = 0;
  private frontAgainMs = Number.NEGATIVE_INFINITY;
  private isFromFront = true;
  private readonly latest = new Map<string, ClaimStart>();

  /** @param monotonicMs Milliseconds that only grow. */
  constructor(private readonly monotonicMs: () => number) {}

  /** The place for each queue; null = at the front, and places are not asked for. */
  of(queues: readonly string[]): readonly ClaimStart[] | null {
    if (this.monotonicMs() >= this.frontAgainMs) this.latest.clear();
    this.isFromFront = !queues.some((queue) => this.latest.has(queue));
    if (this.isFromFront && this.slowInARow < SLOW_IN_A_ROW) return null;
    return queues.map((queue) => this.latest.get(queue) ?? FRONT);
  }

  /** Notes what a claim brought. False = nothing, because it did not begin at the front. */
  claimed(rows: readonly ClaimedRow[]): boolean {
    const [first] = rows;
    if (first === undefined) {
      this.latest.clear();
      return this.isFromFront;
    }
    if (this.isFromFront) this.timed(first.took_ms, rows.length);
    for (const { queue, priority, run_s: runSeconds, id } of rows) {
      if (priority === undefined || runSeconds === undefined) return true;
      this.latest.set(queue, { priority, runSeconds, id });
    }
    return true;
  }

  private timed(tookMs: number, count: number): void {
    const isSlow = tookMs > SLOW.ms + count * SLOW.perRowMs;
    this.slowInARow = isSlow ? this.slowInARow + 1 : 0;
    this.frontAgainMs = this.monotonicMs() + (isSlow ? Math.min(tookMs * REST.factor, REST.maxMs) : 0);
  }
}
