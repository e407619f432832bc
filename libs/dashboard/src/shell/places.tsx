import type { JSX } from 'preact';

/** A place that the navigation leads to. */
export interface Place {
  readonly to: string;
  readonly text: string;
  /** Drawn in a square of sixteen, by lines. */
  readonly icon: JSX.Element;
}

export const PLACES: readonly Place[] = [
  { to: '/executions', text: 'Executions', icon: <path d="M2.5 4h11M2.5 8h11M2.5 12h7" /> },
];
