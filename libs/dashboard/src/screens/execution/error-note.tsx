import type { JSX } from 'preact';
import type { ExecutionDetail } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { Runbook } from '../../ui/runbook.js';

interface ErrorNoteProps {
  readonly error: NonNullable<ExecutionDetail['error']>;
  readonly of: ExecutionDetail;
}

const KINDS = {
  transient: 'It may go better next time.',
  throttled: 'The other side asked to come back later.',
  permanent: 'Another attempt does not help; something must be changed first.',
} as const;

/** What went wrong, what that means for another attempt, and where to read what to do. */
export function ErrorNote({ error, of }: ErrorNoteProps): JSX.Element {
  const { errorClass, code, message, stack, fingerprint } = error;
  return (
    <div class="note is-bad error-note">
      <p class="error-title">
        {errorClass ?? 'Error'} {code !== null && <code>{code}</code>}
      </p>
      {message !== null && <pre class="error-message">{message}</pre>}
      <p class="muted">
        {of.errorKind !== null && `${KINDS[of.errorKind]} `}
        {fingerprint !== null && <Link to={withQuery('/executions', { fingerprint })}>Others with this error</Link>}
      </p>
      {of.runbook !== null && <Runbook text={of.runbook} />}
      {typeof stack === 'string' && (
        <details>
          <summary>Stack</summary>
          <pre class="error-message">{stack}</pre>
        </details>
      )}
    </div>
  );
}
