import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Canceled, ExecutionState } from '../../api/answers.js';
import { act } from '../../api/client.js';
import { mayOperate } from '../../api/session.js';
import { pathOf } from '../../router/route.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import type { ActionDialogProps, ExecutionActionsProps } from './action-dialog.js';
import { RetryDialog } from './retry-dialog.js';

type Action = 'cancel' | 'retry' | 'acknowledge';

const HAS_NOT_ENDED: readonly ExecutionState[] = ['pending', 'running', 'retrying'];

/** What may be done to an execution in its state, for those who may. */
export function ExecutionActions({ of, onDone }: ExecutionActionsProps): JSX.Element | null {
  const [asked, setAsked] = useState<Action | null>(null);
  if (!mayOperate()) return null;
  const dialog = { of, onDone, onClose: () => setAsked(null) };
  return (
    <>
      {HAS_NOT_ENDED.includes(of.state) ? (
        <button type="button" disabled={of.cancelRequestedAt !== null} onClick={() => setAsked('cancel')}>
          {of.cancelRequestedAt === null ? 'Cancel' : 'Asked to cancel'}
        </button>
      ) : (
        <>
          {of.state === 'failed' && of.acknowledged === null && (
            <button type="button" onClick={() => setAsked('acknowledge')}>
              Acknowledge
            </button>
          )}
          <button type="button" onClick={() => setAsked('retry')}>
            Retry
          </button>
        </>
      )}
      {asked === 'cancel' && <CancelDialog {...dialog} />}
      {asked === 'acknowledge' && <AcknowledgeDialog {...dialog} />}
      {asked === 'retry' && <RetryDialog {...dialog} />}
    </>
  );
}

function CancelDialog({ of, onDone, onClose }: ActionDialogProps): JSX.Element {
  const cancel = async (reason: string, key: string): Promise<void> => {
    const path = pathOf('executions', of.executionId, 'cancel');
    const { done } = await act<Canceled>(path, { reason }, key);
    announce(done === 'canceled' ? `${of.key} is canceled.` : `${of.key} was asked to stop.`);
    onDone();
  };
  return (
    <ReasonDialog title={`Cancel ${of.key}`} verb="Cancel it" isDangerous act={cancel} onClose={onClose}>
      <p>
        {of.state === 'running'
          ? 'Its signal fires within a second, and it ends when its handler settles. What it has committed stays committed.'
          : 'It ends at once and will not start. Its key stays used.'}
      </p>
    </ReasonDialog>
  );
}

function AcknowledgeDialog({ of, onDone, onClose }: ActionDialogProps): JSX.Element {
  const acknowledge = async (reason: string, key: string): Promise<void> => {
    await act(pathOf('executions', of.executionId, 'acknowledge'), { reason }, key);
    announce(`The failure of ${of.key} is acknowledged.`);
    onDone();
  };
  return (
    <ReasonDialog title={`Acknowledge ${of.key}`} verb="Acknowledge" act={acknowledge} onClose={onClose}>
      <p>Somebody knows of the failure: it leaves the dead letters. Nothing is executed.</p>
    </ReasonDialog>
  );
}
