import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReplayPreview } from '../../api/answers.js';
import { act, newIdempotencyKey } from '../../api/client.js';
import { ApiProblem } from '../../api/problem.js';
import { Loading, ProblemNote } from '../../ui/answer.js';

/** Which dead letters are meant; never empty. */
export type BulkFilter = Readonly<Partial<Record<'job' | 'queue' | 'fingerprint', string>>>;

/** A dialog about many dead letters. */
export interface BulkDialogProps {
  readonly filter: BulkFilter;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** What an action would do, before it is done; null = that is not known yet. */
export function usePreview(path: string, filter: BulkFilter): ReplayPreview | ApiProblem | null {
  const [preview, setPreview] = useState<ReplayPreview | ApiProblem | null>(null);
  useEffect(() => {
    const ask = act<ReplayPreview>(path, { ...filter, dryRun: true }, newIdempotencyKey());
    ask.then(setPreview, (error: unknown) => {
      if (error instanceof ApiProblem) setPreview(error);
      else throw error;
    });
  }, []);
  return preview;
}

/** How many are meant; null = that is not known. */
export const countOf = (preview: ReplayPreview | ApiProblem | null): number | null =>
  preview === null || preview instanceof ApiProblem ? null : preview.count;

interface MeantProps {
  readonly filter: BulkFilter;
  readonly preview: ReplayPreview | ApiProblem | null;
}

/** Which ones a filter means. */
export function Meant({ filter, preview }: MeantProps): JSX.Element {
  return (
    <>
      <p class="mono">
        {Object.entries(filter)
          .map(([name, value]) => `${name} ${value}`)
          .join(' · ')}
      </p>
      {preview === null && <Loading />}
      {preview instanceof ApiProblem && <ProblemNote problem={preview} />}
      {preview !== null && !(preview instanceof ApiProblem) && <Preview of={preview} />}
    </>
  );
}

function Preview({ of: { count, groups } }: { readonly of: ReplayPreview }): JSX.Element {
  if (count === 0) return <p>Nothing fits any more: it was replayed or acknowledged meanwhile.</p>;
  return (
    <ul class="preview">
      {groups.map(({ job, fingerprint, errorClass, count: each, examples }) => (
        <li key={`${job} ${fingerprint ?? ''}`}>
          <strong>{each}</strong> of {job}
          {errorClass !== null && `, ${errorClass}`} <span class="muted">such as {examples[0]}</span>
        </li>
      ))}
    </ul>
  );
}

/** What an action does page by page. */
export interface BulkAction<Answer> {
  readonly path: string;
  readonly body: object;
  readonly idempotencyKey: string;
  /** How many an answer tells of. */
  readonly count: (answer: Answer) => number;
}

/** Page by page: each has a name of its own, so that a repeated try does none twice. Gives how many were meant. */
export async function actOnAll<Answer extends { readonly nextCursor: string | null }>({
  path,
  body,
  idempotencyKey,
  count,
}: BulkAction<Answer>): Promise<number> {
  let done = 0;
  let cursor: string | null = null;
  for (let page = 1; page === 1 || cursor !== null; page += 1) {
    const asked: object = { ...body, ...(cursor === null ? {} : { cursor }) };
    const answer: Answer = await act<Answer>(path, asked, `${idempotencyKey}-${page}`);
    done += count(answer);
    cursor = answer.nextCursor;
  }
  return done;
}
