import type { JSX } from 'preact';
import type { Attempt, ExecutionDetail } from '../../api/answers.js';
import { now } from '../../time/clock.js';
import { durationText } from '../../time/duration-text.js';
import { numberedText } from '../../ui/number-text.js';

const WIDTH = 1_000;
const HEIGHT = 28;
const LEAST_WIDTH = 4;

interface AttemptStripProps {
  readonly attempts: readonly Attempt[];
  readonly of: ExecutionDetail;
}

/** From when it could first be called to its end: when it was called, and when it waited. */
export function AttemptStrip({ attempts, of }: AttemptStripProps): JSX.Element | null {
  const available = Math.max(Date.parse(of.scheduledFor), Date.parse(of.createdAt));
  const from = Math.min(available, ...attempts.map(({ startedAt }) => Date.parse(startedAt)));
  const isRunning = of.state === 'running' && of.startedAt !== null;
  const ends = attempts.map(({ finishedAt }) => Date.parse(finishedAt));
  const to = Math.max(...ends, isRunning ? now.value : 0, from + 1);
  const x = (at: number): number => ((at - from) / (to - from)) * WIDTH;
  const bar = (startedAt: string, finishedAt: number): { readonly x: number; readonly width: number } => {
    const width = Math.max(LEAST_WIDTH, x(finishedAt) - x(Date.parse(startedAt)));
    return { x: Math.min(x(Date.parse(startedAt)), WIDTH - width), width };
  };
  const text = `${numberedText(attempts.length, 'attempt')} in ${durationText(to - from)} since it could first be called`;
  return (
    <figure class="strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}>
        <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} class="wait" />
        {attempts.map((each) => (
          <rect
            key={each.leaseToken}
            {...bar(each.startedAt, Date.parse(each.finishedAt))}
            y={4}
            height={HEIGHT - 8}
            class={`call is-${each.outcome}`}
          >
            <title>{`#${each.attempt} ${each.outcome}, ${durationText(each.durationMs)}`}</title>
          </rect>
        ))}
        {isRunning && <rect {...bar(of.startedAt ?? '', to)} y={4} height={HEIGHT - 8} class="call is-running" />}
      </svg>
      <figcaption>
        <span>available</span>
        <span>{durationText(to - from)}</span>
      </figcaption>
    </figure>
  );
}
