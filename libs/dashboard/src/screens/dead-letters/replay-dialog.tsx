import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReplayedPage, ReplayPreview } from '../../api/answers.js';
import { act, newIdempotencyKey } from '../../api/client.js';
import { ApiProblem } from '../../api/problem.js';
import { announce } from '../../ui/announce.js';
import { Loading, ProblemNote } from '../../ui/answer.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';

/** Which dead letters are meant; never empty. */
export type ReplayFilter = Readonly<Partial<Record<'job' | 'queue' | 'fingerprint', string>>>;

interface ReplayDialogProps {
  readonly filter: ReplayFilter;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const PATH = '/dead-letters/replay';
const PER_MINUTE = 600;

/** Shows what a filter means before it is replayed, and replays it page by page. */
export function ReplayDialog({ filter, onDone, onClose }: ReplayDialogProps): JSX.Element {
  const [preview, setPreview] = useState<ReplayPreview | ApiProblem | null>(null);
  const [perMinute, setPerMinute] = useState(String(PER_MINUTE));
  useEffect(() => {
    const ask = act<ReplayPreview>(PATH, { ...filter, dryRun: true }, newIdempotencyKey());
    ask.then(setPreview, (error: unknown) => {
      if (error instanceof ApiProblem) setPreview(error);
      else throw error;
    });
  }, []);
  const replay = async (reason: string, key: string): Promise<void> => {
    const pace = Number(perMinute) || PER_MINUTE;
    const count = await replayAll({ ...filter, reason, maxPerMinute: pace }, key);
    announce(`${count} executions wait to be executed once more, ${pace} a minute at most.`);
    onDone();
  };
  const isKnown = preview !== null && !(preview instanceof ApiProblem);
  return (
    <ReasonDialog
      title={isKnown ? `Replay ${preview.count} dead letters` : 'Replay dead letters'}
      verb={isKnown ? `Replay ${preview.count}` : 'Replay'}
      isReady={isKnown && preview.count > 0}
      act={replay}
      onClose={onClose}
    >
      <p class="mono">
        {Object.entries(filter)
          .map(([name, value]) => `${name} ${value}`)
          .join(' · ')}
      </p>
      {preview === null && <Loading />}
      {preview instanceof ApiProblem && <ProblemNote problem={preview} />}
      {isKnown && <Preview of={preview} />}
      <label class="field">
        <span>Starts a minute, at most</span>
        <input
          type="number"
          min={1}
          max={60_000}
          value={perMinute}
          onInput={({ currentTarget }) => setPerMinute(currentTarget.value)}
        />
      </label>
    </ReasonDialog>
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

/** Page by page: each has a name of its own, so that a repeated try does none twice. Gives how many are replayed. */
async function replayAll(body: object, idempotencyKey: string): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  for (let page = 1; page === 1 || cursor !== null; page += 1) {
    const asked: object = { ...body, ...(cursor === null ? {} : { cursor }) };
    const answer: ReplayedPage = await act<ReplayedPage>(PATH, asked, `${idempotencyKey}-${page}`);
    count += answer.replayed.length;
    cursor = answer.nextCursor;
  }
  return count;
}
