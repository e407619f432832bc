import type { JSX } from 'preact';
import { changeQuery, query } from '../router/router.js';

interface PagerProps {
  readonly nextCursor: string | null;
  /** What the buttons say where lists do not begin with the newest. */
  readonly first?: string;
  readonly next?: string;
}

/** The way through a list by its cursor, which is kept in the address: the browser's own step back leads to the page before. */
export function Pager({ nextCursor, first = 'Newest', next = 'Older' }: PagerProps): JSX.Element | null {
  const isFirst = !query.value.has('cursor');
  if (isFirst && nextCursor === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={isFirst} onClick={() => changeQuery({ cursor: null })}>
        {first}
      </button>
      <button type="button" disabled={nextCursor === null} onClick={() => changeQuery({ cursor: nextCursor })}>
        {next}
      </button>
    </nav>
  );
}
