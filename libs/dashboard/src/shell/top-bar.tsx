import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { liveness, type Liveness } from '../api/hints.js';
import { outage } from '../api/outage.js';
import { pathOf } from '../router/route.js';
import { navigate } from '../router/router.js';
import { chooseZone, LOCAL_ZONE, ZONE_CHOICES, zoneChoice, type ZoneChoice } from '../time/zone.js';
import { chooseTheme, theme, THEMES, type Theme } from './theme.js';

const ZONE_TEXTS: Readonly<Record<ZoneChoice, string>> = { utc: 'UTC', local: LOCAL_ZONE, job: 'Zone of each job' };
const THEME_TEXTS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const LIVENESS: Readonly<Record<Liveness | 'out', { readonly text: string; readonly title: string }>> = {
  live: { text: 'Live', title: 'Changes appear as they happen.' },
  polling: { text: 'Every 5 s', title: 'The page looks again every 5 seconds.' },
  out: { text: 'No data', title: 'Nothing can be read at present. It is tried again by itself.' },
  paused: { text: 'Paused', title: 'Nobody sees this page, so it does not look.' },
};

/** What belongs to every screen: the way to one execution, and how things are shown. */
export function TopBar(): JSX.Element {
  const standing = outage.value === null ? liveness.value : 'out';
  const { text, title } = LIVENESS[standing];
  return (
    <div class="top">
      <Find />
      <span class={`liveness is-${standing}`} title={title}>
        {text}
      </span>
      <label class="top-choice">
        <span>Times in</span>
        <select
          value={zoneChoice.value}
          onChange={({ currentTarget }) => chooseZone(currentTarget.value as ZoneChoice)}
        >
          {ZONE_CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {ZONE_TEXTS[choice]}
            </option>
          ))}
        </select>
      </label>
      <label class="top-choice">
        <span>Theme</span>
        <select value={theme.value} onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}>
          {THEMES.map((choice) => (
            <option key={choice} value={choice}>
              {THEME_TEXTS[choice]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Leads to an execution by its key or id. The key `/` leads here. */
function Find(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const find = (event: Event): void => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key !== '') navigate(pathOf('executions', key));
  };
  return (
    <form class="find" role="search" onSubmit={find}>
      <input
        ref={input}
        type="search"
        aria-label="Key or id of an execution"
        placeholder="Key or id of an execution"
        autocomplete="off"
        spellcheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
