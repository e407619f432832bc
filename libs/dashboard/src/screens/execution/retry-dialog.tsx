import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/client.js';
import { ApiProblem } from '../../api/problem.js';
import { pathOf } from '../../router/route.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import type { ActionDialogProps } from './action-dialog.js';

/** What secrets are shown as; it must not become the payload. */
const REDACTED = '[redacted]';

/** Executes it once more, with a corrected payload if need be. */
export function RetryDialog({ of, onDone, onClose }: ActionDialogProps): JSX.Element {
  const stored = JSON.stringify(of.payload, null, 2);
  const [payload, setPayload] = useState(stored);
  const retry = async (reason: string, key: string): Promise<void> => {
    const body = {
      reason,
      ...(of.state === 'succeeded' ? { force: true } : {}),
      ...(payload === stored ? {} : { payload: parsed(payload) }),
    };
    await act(pathOf('executions', of.executionId, 'retry'), body, key);
    announce(`${of.key} waits to be executed once more.`);
    onDone();
  };
  return (
    <ReasonDialog title={`Retry ${of.key}`} verb="Retry" act={retry} onClose={onClose}>
      <p>
        {of.state === 'succeeded'
          ? 'It has succeeded. It is executed once more from its beginning: what it does is done twice, unless its handler prevents that.'
          : 'It waits in its queue at once. Attempts and deadline begin anew; what it has committed stays committed.'}
      </p>
      {of.trigger === 'enqueue' && (
        <details>
          <summary>Correct the payload</summary>
          <textarea
            class="mono"
            aria-label="Payload"
            rows={8}
            spellcheck={false}
            value={payload}
            onInput={({ currentTarget }) => setPayload(currentTarget.value)}
          />
        </details>
      )}
    </ReasonDialog>
  );
}

function parsed(text: string): unknown {
  if (text.includes(REDACTED)) {
    throw new ApiProblem(0, 'REDACTED', `The payload holds ${REDACTED} in place of a secret. Give the secret itself.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiProblem(0, 'NOT_JSON', `The payload is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
