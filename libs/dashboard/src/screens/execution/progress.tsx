import type { JSX } from 'preact';
import type { ExecutionDetail } from '../../api/answers.js';

/** How far it has come, as its handler says, and what it has counted. */
export function Progress({ of }: { readonly of: ExecutionDetail }): JSX.Element | null {
  const { stage, percent, counts, state } = of;
  const counted = counts.processed + counts.failed + counts.skipped > 0;
  const moves = state === 'running' && percent !== null;
  if (stage === null && !moves && !counted) return null;
  return (
    <p class="progress">
      {moves && <progress max={100} value={percent} aria-label="Progress" />}
      {moves && <span>{percent} %</span>}
      {stage !== null && <span>{stage}</span>}
      {counted && (
        <span class="muted">
          {counts.processed} processed, {counts.failed} failed, {counts.skipped} skipped
        </span>
      )}
    </p>
  );
}
