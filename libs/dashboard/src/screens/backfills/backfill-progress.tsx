import type { JSX } from 'preact';
import type { Backfill } from '../../api/answers.js';
import { Marked } from '../../ui/state.js';
import { STATES, stateText } from '../../ui/state-text.js';

type Counts = Pick<Backfill, 'inserted' | 'states'>;

/** How many of its executions wait or run. */
const openOf = ({ states: { pending = 0, running = 0, retrying = 0 } }: Counts): number => pending + running + retrying;

/** How a backfill stands, in a word. */
export function BackfillState({ of: { state, states } }: { readonly of: Backfill }): JSX.Element {
  if (state === 'canceled') return <Marked mark="canceled" text="Canceled" />;
  if (state === 'open') return <Marked mark="running" text="Open" />;
  const failed = (states.failed ?? 0) + (states.completed_with_errors ?? 0);
  return failed === 0 ? (
    <Marked mark="succeeded" text="Done" />
  ) : (
    <Marked mark="failed" text={`Done, ${failed} failed`} />
  );
}

/** How far a backfill has come: how many of its executions have ended, and how all of them stand. */
export function BackfillProgress({ of }: { readonly of: Counts }): JSX.Element {
  const { inserted, states } = of;
  if (inserted === 0) return <span class="muted">nothing to execute</span>;
  const ended = inserted - openOf(of);
  const stands = STATES.flatMap((state) => {
    const count = states[state] ?? 0;
    return count === 0 ? [] : [`${count} ${stateText(state).toLowerCase()}`];
  });
  return (
    <span class="progress">
      <progress max={inserted} value={ended} aria-label={`${ended} of ${inserted} have ended`} />
      <span>
        {ended} of {inserted}
      </span>
      <span class="muted">{stands.join(', ')}</span>
    </span>
  );
}
