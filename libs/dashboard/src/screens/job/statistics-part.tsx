import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Statistics } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { changeQuery, query } from '../../router/router.js';
import { pathOf, withQuery } from '../../router/route.js';
import { now } from '../../time/clock.js';
import { Instant } from '../../time/instant.js';
import { DAY_MS, MINUTE_MS } from '../../time/spans.js';
import { Answer } from '../../ui/answer.js';
import { Section } from '../../ui/facts.js';
import { countText } from '../../ui/number-text.js';
import { PercentileChart } from './chart.js';
import { chartData } from './chart-data.js';
import { Figures } from './figures.js';
import { OutcomeChart } from './outcome-chart.js';
import { outcomeData } from './outcome-data.js';
import { StatisticsTable } from './statistics-table.js';

/** By days, what each stretch is called. */
const WINDOWS: readonly (readonly [days: number, text: string])[] = [
  [1, '24 h'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
];
/** What the API takes by itself. */
const DEFAULT_DAYS = 7;

/** How the executions of a job went in a stretch of time, which it names. */
export function StatisticsPart({ jobName }: { readonly jobName: string }): JSX.Element {
  const days = chosenDays();
  const from = useMemo(() => new Date(now.peek() - days * DAY_MS).toISOString(), [days]);
  const path = withQuery(pathOf('jobs', jobName, 'statistics'), days === DEFAULT_DAYS ? {} : { from });
  // It looks at many rows, and one execution more changes little.
  const statistics = useResource<Statistics>(path, { pollMs: MINUTE_MS, concerns: () => false });
  return (
    <Section title="How it went" aside={<WindowChoice days={days} />}>
      <Answer of={statistics}>{(of) => <Parts of={of} jobName={jobName} />}</Answer>
    </Section>
  );
}

function WindowChoice({ days }: { readonly days: number }): JSX.Element {
  return (
    <div class="segments" role="group" aria-label="Stretch of time">
      {WINDOWS.map(([each, text]) => (
        <button key={each} type="button" class="quiet" aria-pressed={each === days} onClick={() => choose(each)}>
          {text}
        </button>
      ))}
    </div>
  );
}

interface PartsProps {
  readonly of: Statistics;
  readonly jobName: string;
}

function Parts({ of, jobName }: PartsProps): JSX.Element {
  const duration = useMemo(() => chartData(of, 'duration'), [of]);
  const startDelay = useMemo(() => chartData(of, 'startDelay'), [of]);
  const outcomes = useMemo(() => outcomeData(of), [of]);
  return (
    <>
      <p class="muted window">
        {of.capped ? 'The newest ' : ''}
        {countText(of.rows)} {of.rows === 1 ? 'execution' : 'executions'}, scheduled from{' '}
        <Instant at={of.capped ? of.oldestAt : of.from} job={jobName} /> to <Instant at={of.to} job={jobName} />
      </p>
      <Figures of={of} />
      {of.rows > 0 && (
        <>
          <div class="charts">
            <OutcomeChart data={outcomes} jobName={jobName} />
            <PercentileChart title="Duration" data={duration} jobName={jobName} />
            <PercentileChart title="Start delay" data={startDelay} jobName={jobName} />
          </div>
          <StatisticsTable of={of} jobName={jobName} />
        </>
      )}
    </>
  );
}

const choose = (days: number): void => changeQuery({ days: days === DEFAULT_DAYS ? null : String(days) });

/** Of the address, in which anything may stand. */
function chosenDays(): number {
  const asked = Number(query.value.get('days'));
  return WINDOWS.some(([days]) => days === asked) ? asked : DEFAULT_DAYS;
}
