import type { JSX } from 'preact';
import type { Statistics } from '../../api/answers.js';
import { durationText } from '../../time/duration-text.js';
import { countText, measureText, numberedText } from '../../ui/number-text.js';
import { countsText, percentilesText, rateText } from './figure-text.js';

/** The numbers that a stretch of time comes down to. */
export function Figures({ of }: { readonly of: Statistics }): JSX.Element {
  const { executions, successRate, durationMs, startDelayMs, retries, attempts, lostLeases } = of;
  const ran = executions.succeeded + executions.completedWithErrors + executions.failed;
  return (
    <dl class="job-figures">
      <Figure
        name="Success rate"
        value={rateText(successRate)}
        note={`${countText(executions.succeeded)} of ${countText(ran)} that ran`}
      />
      <Figure name="Executions" value={countText(of.rows)} note={countsText(executions)} />
      <Figure name="Duration, p50" value={middle(durationMs)} note={percentilesText(durationMs)} />
      <Figure name="Start delay, p50" value={middle(startDelayMs)} note={percentilesText(startDelayMs)} />
      <Figure
        name="Retries"
        value={countText(retries)}
        note={`${numberedText(attempts, 'attempt')}, ${numberedText(lostLeases, 'lost lease')}`}
      />
      {of.throughputPerSecond !== null && (
        <Figure
          name="Items a second"
          value={measureText(of.throughputPerSecond)}
          note={`${countText(of.processed)} processed`}
        />
      )}
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

const Figure = ({ name, value, note }: FigureProps): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd class="job-figure">{value}</dd>
    <dd class="muted">{note}</dd>
  </div>
);

const middle = (of: Statistics['durationMs']): string => (of === null ? '–' : durationText(of.p50));
