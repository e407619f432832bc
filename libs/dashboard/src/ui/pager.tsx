import type { JSX } from 'preact';
import { changeQuery, query } from '../router/router.js';

/** The way through a list by its cursor, which is kept in the address: the browser's own step back leads to newer ones. */
export function Pager({ nextCursor }: { readonly nextCursor: string | null }): JSX.Element | null {
  const isFirst = !query.value.has('cursor');
  if (isFirst && nextCursor === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={isFirst} onClick={() => changeQuery({ cursor: null })}>
        Newest
      </button>
      <button type="button" disabled={nextCursor === null} onClick={() => changeQuery({ cursor: nextCursor })}>
        Older
      </button>
    </nav>
  );
}
