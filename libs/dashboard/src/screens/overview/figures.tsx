import type { JSX } from 'preact';
import type { Overview } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { durationText } from '../../time/duration-text.js';
import { countText } from '../../ui/number-text.js';
import { Glyph } from '../../ui/state.js';
import type { Mark } from '../../ui/state-text.js';

const stateList = (state: string): string => withQuery('/executions', { state });

/** The counts of the whole ledger, each leading to what was counted. */
export function Figures({ of }: { readonly of: Overview }): JSX.Element {
  const { executions, deadLetters, overduePeriods, oldestReadyAgeMs } = of;
  return (
    <ul class="figures">
      <Figure mark="running" text="Running" to={stateList('running')} value={capped(executions.running)} />
      <Figure mark="pending" text="Pending" to={stateList('pending')} value={capped(executions.pending)} />
      <Figure mark="retrying" text="Retrying" to={stateList('retrying')} value={capped(executions.retrying)} />
      <Figure
        mark="pending"
        text="Oldest ready"
        to="/queues"
        value={oldestReadyAgeMs === null ? '–' : durationText(oldestReadyAgeMs)}
      />
      <Figure mark="failed" text="Dead letters" to="/dead-letters" value={capped(deadLetters)} />
      <Figure mark="overdue" text="Overdue periods" to="/periods" value={countText(overduePeriods)} />
    </ul>
  );
}

interface FigureProps {
  readonly mark: Mark;
  readonly text: string;
  readonly to: string;
  readonly value: string;
}

const Figure = ({ mark, text, to, value }: FigureProps): JSX.Element => (
  <li>
    <Link to={to}>
      <span class="figure-text">
        <Glyph mark={value === '0' ? 'unknown' : mark} />
        {text}
      </span>
      <span class={value === '0' || value === '–' ? 'figure muted' : 'figure'}>{value}</span>
    </Link>
  </li>
);

const capped = ({ count, capped: isCapped }: Overview['deadLetters']): string =>
  `${countText(count)}${isCapped ? '+' : ''}`;
