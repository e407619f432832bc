import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { changeQuery, query } from '../router/router.js';

interface TextFilterProps {
  /** Of the parameter in the address. */
  readonly name: string;
  readonly text: string;
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
  readonly size?: 'short' | 'long';
}

/** A filter that is typed; it takes effect with Enter or when the field is left. */
export function TextFilter({ name, text, suggestions, placeholder = 'any', size }: TextFilterProps): JSX.Element {
  const list = useId();
  return (
    <label class={size === undefined ? undefined : `is-${size}`}>
      <span>{text}</span>
      <input
        value={query.value.get(name) ?? ''}
        placeholder={placeholder}
        list={suggestions === undefined ? undefined : list}
        autocomplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => changeQuery({ [name]: currentTarget.value.trim(), cursor: null })}
      />
      {suggestions !== undefined && (
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </datalist>
      )}
    </label>
  );
}

interface ChoiceFilterProps {
  readonly name: string;
  readonly text: string;
  /** By value, what each is called; the empty value does not filter. */
  readonly choices: Readonly<Record<string, string>>;
}

/** A filter with a few values. */
export function ChoiceFilter({ name, text, choices }: ChoiceFilterProps): JSX.Element {
  return (
    <label class="is-short">
      <span>{text}</span>
      <select
        value={query.value.get(name) ?? ''}
        onChange={({ currentTarget }) => changeQuery({ [name]: currentTarget.value, cursor: null })}
      >
        {Object.entries(choices).map(([value, called]) => (
          <option key={value} value={value}>
            {called}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Takes all filters away, if there are any. */
export function ClearFilters({ names }: { readonly names: readonly string[] }): JSX.Element | null {
  if (!names.some((name) => query.value.has(name))) return null;
  const none = Object.fromEntries([...names, 'cursor'].map((name) => [name, null]));
  return (
    <button type="button" class="quiet" onClick={() => changeQuery(none)}>
      Clear
    </button>
  );
}
