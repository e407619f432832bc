import type { JSX } from 'preact';
import type { PeriodCell } from '../../api/answers.js';
import { Glyph } from '../../ui/state.js';
import { markOf, periodStateText, stateCounts } from './period-text.js';

/** What the signs of the shown cells mean, and how many there are of each. */
export function Legend({ of }: { readonly of: readonly PeriodCell[] }): JSX.Element {
  return (
    <ul class="legend" aria-label="States">
      {stateCounts(of).map(([state, count]) => (
        <li key={state}>
          <span class={`cell is-${state}`}>
            <Glyph mark={markOf(state)} />
          </span>
          {periodStateText(state)} <span class="muted">{count}</span>
        </li>
      ))}
    </ul>
  );
}
