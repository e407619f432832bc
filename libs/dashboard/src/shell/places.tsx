import type { JSX } from 'preact';

/** A place that the navigation leads to. */
export interface Place {
  readonly to: string;
  readonly text: string;
  /** Drawn in a square of sixteen, by lines. */
  readonly icon: JSX.Element;
}

export const PLACES: readonly Place[] = [
  { to: '/', text: 'Overview', icon: <path d="M2.5 12.5a5.5 5.5 0 1 1 11 0M8 12.5l2.5-3.5" /> },
  { to: '/periods', text: 'Periods', icon: <path d="M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z" /> },
  { to: '/jobs', text: 'Jobs', icon: <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 4.5V8l2.5 1.5" /> },
  { to: '/executions', text: 'Executions', icon: <path d="M2.5 4h11M2.5 8h11M2.5 12h7" /> },
  { to: '/dead-letters', text: 'Dead letters', icon: <path d="M2 4.5h12v8H2zM2 4.5l6 4.5 6-4.5M8 1.5v1" /> },
  { to: '/backfills', text: 'Backfills', icon: <path d="M8 2.5v11L2 8ZM14 2.5v11L8 8Z" /> },
  { to: '/queues', text: 'Queues', icon: <path d="M2 5h3v6H2zM6.5 5h3v6h-3zM11 8h3.5M12.8 6.2 14.6 8l-1.8 1.8" /> },
  { to: '/instances', text: 'Instances', icon: <path d="M2.5 2.5h11v4h-11zM2.5 9.5h11v4h-11zM5 4.5h.01M5 11.5h.01" /> },
  { to: '/audit', text: 'Audit', icon: <path d="M4 1.5h6l3 3v10H4zM6.5 7h4M6.5 9.5h4M6.5 12h2" /> },
];
