import type { JSX } from 'preact';
import { settingText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { countText } from '../../ui/number-text.js';
import { Chart } from './chart.js';
import { OUTCOMES, type OutcomeData } from './outcome-data.js';

interface OutcomeChartProps {
  readonly data: OutcomeData;
  readonly jobName: string;
}

/** How executions ended over time, a bar for each stretch of it. */
export function OutcomeChart({ data, jobName }: OutcomeChartProps): JSX.Element {
  const total = (name: (typeof OUTCOMES)[number]['name']): number => data.counts[name].reduce((sum, n) => sum + n, 0);
  const totals = OUTCOMES.map(({ name, text }) => `${countText(total(name))} ${text}`).join(', ');
  return (
    <Chart
      title="Outcomes"
      label={`${totals}.`}
      data={data}
      isEmpty={OUTCOMES.every(({ name }) => total(name) === 0)}
      jobName={jobName}
      by={({ drawBars }) => drawBars}
      legend={(pointed) => <Legend data={data} index={pointed} jobName={jobName} />}
      isLow
    />
  );
}

interface LegendProps extends OutcomeChartProps {
  readonly index: number | null;
}

/** What the parts of a bar are; with the counts of the one that somebody points at. */
function Legend({ data, index, jobName }: LegendProps): JSX.Element {
  const at = index === null ? undefined : data.at[index];
  return (
    <>
      {at !== undefined && (
        <span>
          <Instant at={new Date(at * 1_000).toISOString()} job={jobName} /> and {settingText(data.stepSeconds * 1_000)}{' '}
          on
        </span>
      )}
      {OUTCOMES.map(({ name, text }) => (
        <span key={name} class={`chart-outcome is-${name}`}>
          {index !== null && `${countText(data.counts[name][index] ?? 0)} `}
          {text}
        </span>
      ))}
    </>
  );
}
