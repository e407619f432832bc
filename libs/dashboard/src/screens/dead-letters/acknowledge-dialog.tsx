import type { JSX } from 'preact';
import type { AcknowledgedPage } from '../../api/answers.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { actOnAll, countOf, Meant, usePreview, type BulkDialogProps } from './bulk.js';

const PATH = '/dead-letters/acknowledge';

/** Shows what a filter means before it is acknowledged, and acknowledges it page by page. */
export function AcknowledgeDialog({ filter, onDone, onClose }: BulkDialogProps): JSX.Element {
  const preview = usePreview(PATH, filter);
  const meant = countOf(preview);
  const acknowledge = async (reason: string, idempotencyKey: string): Promise<void> => {
    const count = await actOnAll<AcknowledgedPage>({
      path: PATH,
      body: { ...filter, reason },
      idempotencyKey,
      count: ({ acknowledged }) => acknowledged.length,
    });
    announce(`${count} ${count === 1 ? 'failure is' : 'failures are'} acknowledged.`);
    onDone();
  };
  return (
    <ReasonDialog
      title={meant === null ? 'Acknowledge dead letters' : `Acknowledge ${meant} dead letters`}
      verb={meant === null ? 'Acknowledge' : `Acknowledge ${meant}`}
      isReady={meant !== null && meant > 0}
      act={acknowledge}
      onClose={onClose}
    >
      <Meant filter={filter} preview={preview} />
      <p class="muted">
        They stay failed and leave this list. A replay of many leaves them alone; each can be retried.
      </p>
    </ReasonDialog>
  );
}
