/** A request that its sender may repeat. */
export interface RepeatableRequest {
  /** Stands for who sends it and the key they gave it, 32 hexadecimal digits. */
  readonly requestId: string;
  /** Stands for what it asks for, 32 hexadecimal digits. */
  readonly digest: string;
}

/**
 * How a request stands. `begun`: nobody has, so that the caller does it now. `other`: the same key asked for something else.
 * `in-progress`: another call is at it.
 */
export type RequestStanding =
  | { readonly standing: 'begun' | 'in-progress' | 'other' }
  | { readonly standing: 'answered'; readonly answer: unknown };

/** Remembers for a day which requests were answered, and how. */
export interface RequestStore {
  /** One that was begun two minutes ago and has no answer is begun again: whoever was at it is gone. */
  begin(request: RepeatableRequest, now: Date | null): Promise<RequestStanding>;
  /** @param answer JSON text. */
  answered(request: RepeatableRequest, answer: string): Promise<void>;
  /** Nothing came of it: the next one is the first. */
  forget(request: RepeatableRequest): Promise<void>;
  /** Removes requests that are older than a day, `limit` at most; gives how many. */
  removeOld(limit: number, now: Date | null): Promise<number>;
}
