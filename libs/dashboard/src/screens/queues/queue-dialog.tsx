import type { JSX } from 'preact';
import type { Queue } from '../../api/answers.js';
import { act } from '../../api/client.js';
import { pathOf } from '../../router/route.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';

interface QueueDialogProps {
  readonly queue: Queue;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Pauses a queue, or ends its pause. */
export function QueueDialog({ queue, onDone, onClose }: QueueDialogProps): JSX.Element {
  const isPaused = queue.pause !== null;
  const change = async (reason: string, key: string): Promise<void> => {
    await act(pathOf('queues', queue.name, isPaused ? 'resume' : 'pause'), { reason }, key);
    announce(isPaused ? `The queue ${queue.name} goes on.` : `The queue ${queue.name} is paused.`);
    onDone();
  };
  const verb = isPaused ? 'Resume' : 'Pause';
  return (
    <ReasonDialog title={`${verb} the queue ${queue.name}`} verb={verb} act={change} onClose={onClose}>
      <p>
        {isPaused
          ? 'Workers claim from it again with their next look.'
          : 'Workers claim nothing from it with their next look, in all processes. Running executions finish, waiting ones wait.'}
      </p>
    </ReasonDialog>
  );
}
