import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExecutionDetail, Page } from '../../api/answers.js';
import { ofExecution, useResource } from '../../api/resource.js';
import { withQuery } from '../../router/route.js';
import { ProblemNote } from '../../ui/answer.js';
import { Section } from '../../ui/facts.js';

interface PagedPartProps<T> {
  readonly title: string;
  /** Of the list, below the API. */
  readonly path: string;
  readonly of: ExecutionDetail;
  /** It grows while the execution runs. */
  readonly isSteady?: boolean;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

const AT_ONCE = 200;

/** A list that belongs to an execution, a page at a time; nothing at all when it is empty. */
export function PagedPart<T>({ title, path, of, isSteady = false, children }: PagedPartProps<T>): JSX.Element | null {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1) ?? null;
  const { data, problem } = useResource<Page<T>>(
    withQuery(path, { limit: AT_ONCE, cursor }),
    ofExecution(of, { isSteady }),
  ).state.value;
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (data === undefined || (data.items.length === 0 && cursor === null)) return null;
  const { items, nextCursor } = data;
  return (
    <Section title={title} aside={`${items.length}${nextCursor === null ? '' : ' of more'}`}>
      {children(items)}
      {(cursor !== null || nextCursor !== null) && (
        <nav class="pager" aria-label={`Pages of ${title.toLowerCase()}`}>
          <button type="button" disabled={cursor === null} onClick={() => setCursors(cursors.slice(0, -1))}>
            Before
          </button>
          <button
            type="button"
            disabled={nextCursor === null}
            onClick={() => setCursors([...cursors, nextCursor ?? ''])}
          >
            After
          </button>
        </nav>
      )}
    </Section>
  );
}
