/** An order as the order server tells it. */
export interface ServerOrder {
  readonly id: string;
  /** RFC 3339. */
  readonly placedAt: string;
  readonly amountCents: number;
}

/** Which orders to ask for, and for how long. */
export interface OrdersRequest {
  readonly from: Date;
  readonly to: Date;
  /** The same for every attempt, so that the other side can tell a repeated call from a new one. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

const PATIENCE_MS = 2_000;

/** The shop's order server. A refusal carries its answer as the cause: that decides what happens next. */
export class OrderServer {
  constructor(private readonly baseUrl: string) {}

  /**
   * The orders placed within `[from, to)`.
   * @throws Error when the server answers with an error, the connection breaks, or there is no answer within 2 s. By its cause
   * the job waits as long as a 429 asks, gives up after another 4xx, and otherwise goes by its backoff.
   */
  async orders({ from, to, idempotencyKey, signal }: OrdersRequest): Promise<readonly ServerOrder[]> {
    const url = new URL('/orders', this.baseUrl);
    url.searchParams.set('from', from.toISOString());
    url.searchParams.set('to', to.toISOString());
    const response = await fetch(url, {
      headers: { 'idempotency-key': idempotencyKey },
      // the run's signal ends the call when the lease is lost or the process shuts down; a slow server ends it earlier
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    if (!response.ok) {
      await response.body?.cancel(); // gives the connection back
      throw new Error(`The order server answered ${response.status}.`, { cause: response });
    }
    return (await response.json()) as readonly ServerOrder[];
  }
}
