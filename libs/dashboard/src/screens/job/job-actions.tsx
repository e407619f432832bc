import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mayOperate } from '../../api/session.js';
import { BackfillDialog } from './backfill-dialog.js';
import type { JobActionsProps } from './job-dialog.js';
import { PauseDialog } from './pause-dialog.js';
import { TriggerDialog } from './trigger-dialog.js';

type Action = 'pause' | 'trigger' | 'backfill';

/** What may be done to a job, for those who may. */
export function JobActions({ of, onDone }: JobActionsProps): JSX.Element | null {
  const [asked, setAsked] = useState<Action | null>(null);
  if (!mayOperate()) return null;
  const dialog = { of, onDone, onClose: () => setAsked(null) };
  return (
    <>
      <button type="button" onClick={() => setAsked('pause')}>
        {of.paused === null ? 'Pause' : 'Resume'}
      </button>
      {of.scheduled && of.renamedTo === null && (
        <button type="button" onClick={() => setAsked('backfill')}>
          Backfill
        </button>
      )}
      <button type="button" onClick={() => setAsked('trigger')}>
        Trigger
      </button>
      {asked === 'pause' && <PauseDialog {...dialog} />}
      {asked === 'backfill' && <BackfillDialog {...dialog} />}
      {asked === 'trigger' && <TriggerDialog {...dialog} />}
    </>
  );
}
