import type { JSX } from 'preact';
import { changeQuery, query } from '../../router/router.js';
import { now } from '../../time/clock.js';
import { DAY_MS, HOUR_MS } from '../../time/spans.js';

const LENGTHS: Readonly<Record<string, number>> = {
  '1 h': HOUR_MS,
  '24 h': DAY_MS,
  '7 d': 7 * DAY_MS,
  '30 d': 30 * DAY_MS,
};

/** From when and until when executions were scheduled: typed as instants, or the stretch up to now. */
export function TimeFilter(): JSX.Element {
  return (
    <>
      <InstantField name="from" text="From" />
      <InstantField name="to" text="Before" />
      <div class="segments" role="group" aria-label="The time up to now">
        {Object.entries(LENGTHS).map(([text, ms]) => (
          <button key={text} type="button" class="quiet" onClick={() => changeQuery(rangeOf(ms))}>
            {text}
          </button>
        ))}
      </div>
    </>
  );
}

/** Open at its end: what becomes due while people look belongs to it. */
const rangeOf = (ms: number): Readonly<Record<string, string | null>> => ({
  from: instantOfMinute(now.value - ms),
  to: null,
  cursor: null,
});

const instantOfMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;

function InstantField({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  const take = (typed: string): void => changeQuery({ [name]: completed(typed.trim()), cursor: null });
  return (
    <label class="is-long">
      <span>{text} (UTC)</span>
      <input
        value={query.value.get(name) ?? ''}
        placeholder="e.g. 2026-08-14 04:00"
        autocomplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      />
    </label>
  );
}

/** People leave out what is clear to them: the time, the `T`, the zone. The server says what it cannot read. */
function completed(typed: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return `${typed}T00:00Z`;
  const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(typed) ?? [];
  return date === '' ? typed : `${date}T${time}Z`;
}
