/**
 * Time of this process. Facts (due, lease, rescue) are judged by the database's clock; this one only decides when a
 * process looks again and when it stops by itself.
 */
export interface Clock {
  /** Milliseconds that only grow, unaffected by changes of the system clock. */
  monotonicMs(): number;
  /** The database time that statements are bound to; null = the database's own clock. Tests set it. */
  boundNow(): Date | null;
}
