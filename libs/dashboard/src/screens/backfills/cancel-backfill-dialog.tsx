import type { JSX } from 'preact';
import type { Backfill, CanceledBackfill } from '../../api/answers.js';
import { act } from '../../api/client.js';
import { pathOf } from '../../router/route.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';

interface CancelBackfillDialogProps {
  readonly of: Backfill;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Cancels what has not started of a backfill. */
export function CancelBackfillDialog({ of, onDone, onClose }: CancelBackfillDialogProps): JSX.Element {
  const { backfillId, jobName } = of;
  const { pending = 0, retrying = 0, running = 0 } = of.states;
  const cancel = async (reason: string, key: string): Promise<void> => {
    const path = pathOf('backfills', backfillId, 'cancel');
    const { canceledNow } = await act<CanceledBackfill>(path, { reason }, key);
    announce(`${canceledNow} ${canceledNow === 1 ? 'execution is' : 'executions are'} canceled.`);
    onDone();
  };
  return (
    <ReasonDialog
      title={`Cancel backfill ${backfillId} of ${jobName}`}
      verb={`Cancel ${pending + retrying}`}
      isDangerous
      act={cancel}
      onClose={onClose}
    >
      <p>
        {pending + retrying} executions that do not run end canceled
        {running > 0 && `; ${running} run and go on to their end`}.
      </p>
      <p class="muted">
        Their periods count as executed: no later backfill executes them, but each can be retried. Pause the job for
        what shall run later.
      </p>
    </ReasonDialog>
  );
}
