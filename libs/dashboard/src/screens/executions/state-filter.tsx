import type { JSX } from 'preact';
import { changeQuery, query } from '../../router/router.js';
import { Glyph } from '../../ui/state.js';
import { STATES, stateText } from '../../ui/state-text.js';

/** Any of the states that are pressed; none pressed = all. */
export function StateFilter(): JSX.Element {
  const chosen = query.value.getAll('state');
  const toggle = (state: string): void => {
    const changed = chosen.includes(state) ? chosen.filter((each) => each !== state) : [...chosen, state];
    changeQuery({ state: changed, cursor: null });
  };
  return (
    <div class="chips" role="group" aria-label="States">
      {STATES.map((state) => (
        <button
          key={state}
          type="button"
          class="chip"
          aria-pressed={chosen.includes(state)}
          onClick={() => toggle(state)}
        >
          <Glyph mark={state} />
          {stateText(state)}
        </button>
      ))}
    </div>
  );
}
