import { PermanentError, RetryLaterError } from 'nestjs-scheduled-jobs';

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

/** The shop's order server. Its answers become the errors that decide what happens next. */
export class OrderServer {
  constructor(private readonly baseUrl: string) {}

  /**
   * The orders placed within `[from, to)`.
   * @throws RetryLaterError when the server asks to come back later (429): the wait is its own, and no attempt is used up.
   * @throws PermanentError when the server refuses the request (other 4xx): asking again cannot help.
   * @throws Error for anything else, such as 503, a broken connection or no answer within 2 s: the job's backoff decides.
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
    if (!response.ok) throw await refusalOf(response);
    return (await response.json()) as readonly ServerOrder[];
  }
}

async function refusalOf(response: Response): Promise<Error> {
  await response.body?.cancel(); // gives the connection back
  const text = `The order server answered ${response.status}.`;
  if (response.status === 429) return new RetryLaterError(text, retryAfterOf(response.headers.get('retry-after')));
  return response.status < 500 ? new PermanentError(text) : new Error(text);
}

/** `Retry-After` is a number of seconds or an HTTP date; without a usable one the job's backoff decides. */
function retryAfterOf(header: string | null): { readonly retryAfter?: number | Date } {
  if (header === null) return {};
  if (/^\d+$/.test(header)) return { retryAfter: Number(header) * 1_000 };
  const date = new Date(header);
  return Number.isNaN(date.getTime()) ? {} : { retryAfter: date };
}
