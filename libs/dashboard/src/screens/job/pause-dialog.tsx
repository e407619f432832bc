import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/client.js';
import { pathOf } from '../../router/route.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import type { JobDialogProps } from './job-dialog.js';

/** Pauses a job, or ends its pause. */
export function PauseDialog({ of, onDone, onClose }: JobDialogProps): JSX.Element {
  // What the dialog offers stays as it is while it is open, whatever somebody else does.
  const [isPaused] = useState(of.paused !== null);
  const [catchUp, setCatchUp] = useState(false);
  const change = async (reason: string, key: string): Promise<void> => {
    const body = isPaused && of.scheduled ? { reason, catchUp } : { reason };
    await act(pathOf('jobs', of.jobName, isPaused ? 'resume' : 'pause'), body, key);
    announce(isPaused ? `${of.jobName} goes on.` : `${of.jobName} is paused.`);
    onDone();
  };
  const verb = isPaused ? 'Resume' : 'Pause';
  return (
    <ReasonDialog title={`${verb} ${of.jobName}`} verb={verb} act={change} onClose={onClose}>
      <p>{isPaused ? 'Workers claim its executions again.' : pauseText(of.scheduled)}</p>
      {isPaused && of.scheduled && (
        <label class="choice">
          <input
            type="checkbox"
            checked={catchUp}
            onChange={({ currentTarget }) => setCatchUp(currentTarget.checked)}
          />
          <span>
            Catch up the periods since the pause, as after an outage. Otherwise they are left out and recorded as a
            skipped range.
          </span>
        </label>
      )}
    </ReasonDialog>
  );
}

const pauseText = (isScheduled: boolean): string =>
  `Workers start none of its executions, in all processes; what runs finishes, what waits waits.${
    isScheduled ? ' No period after this moment becomes an execution.' : ''
  }`;
