import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ReplayedPage } from '../../api/answers.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { actOnAll, countOf, Meant, usePreview, type BulkDialogProps } from './bulk.js';

const PATH = '/dead-letters/replay';
const PER_MINUTE = 600;

/** Shows what a filter means before it is replayed, and replays it page by page. */
export function ReplayDialog({ filter, onDone, onClose }: BulkDialogProps): JSX.Element {
  const preview = usePreview(PATH, filter);
  const [perMinute, setPerMinute] = useState(String(PER_MINUTE));
  const meant = countOf(preview);
  const replay = async (reason: string, idempotencyKey: string): Promise<void> => {
    const pace = Number(perMinute) || PER_MINUTE;
    const body = { ...filter, reason, maxPerMinute: pace };
    const count = await actOnAll<ReplayedPage>({
      path: PATH,
      body,
      idempotencyKey,
      count: ({ replayed }) => replayed.length,
    });
    announce(`${count} executions wait to be executed once more, ${pace} a minute at most.`);
    onDone();
  };
  return (
    <ReasonDialog
      title={meant === null ? 'Replay dead letters' : `Replay ${meant} dead letters`}
      verb={meant === null ? 'Replay' : `Replay ${meant}`}
      isReady={meant !== null && meant > 0}
      act={replay}
      onClose={onClose}
    >
      <Meant filter={filter} preview={preview} />
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
