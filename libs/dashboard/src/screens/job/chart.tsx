import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../../shell/theme.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { zoneFor } from '../../time/zone.js';
import type { ChartData } from './chart-data.js';
import type { Plot } from './plot.js';

interface ChartProps {
  readonly title: string;
  readonly data: ChartData;
  readonly jobName: string;
}

/** A measure over time by two percentiles. Its values are also in a table, for those who cannot see it. */
export function Chart({ title, data, jobName }: ChartProps): JSX.Element {
  const [pointed, setPointed] = useState<number | null>(null);
  const { host, isBroken } = usePlot(data, jobName, setPointed);
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <Legend data={data} index={pointed} jobName={jobName} />
      </figcaption>
      {data.at.length === 0 ? (
        <p class="chart-empty muted">Nothing to measure in this stretch of time.</p>
      ) : isBroken ? (
        <p class="chart-empty muted">The chart could not be loaded. The table has its values; reload to try again.</p>
      ) : (
        <div
          ref={host}
          class="chart-host"
          role="img"
          aria-label={`${title}: p50 and p95 of ${data.at.length} stretches of time. The table below has the values.`}
        />
      )}
    </figure>
  );
}

function usePlot(data: ChartData, jobName: string, onPoint: (index: number | null) => void) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const [isBroken, setBroken] = useState(false);
  const isEmpty = data.at.length === 0;
  useEffect(() => {
    let isWanted = true;
    const draw = ({ drawPlot }: typeof import('./plot.js')): void => {
      if (!isWanted || host.current === null) return;
      plot.current = drawPlot(host.current, { data: latest.current, timeZone: () => zoneFor(jobName), onPoint });
    };
    if (!isEmpty) import('./plot.js').then(draw, () => setBroken(true));
    return () => {
      isWanted = false;
      plot.current?.end();
      plot.current = null;
    };
  }, [isEmpty, jobName]);
  useEffect(() => plot.current?.update(data), [data]);
  useRedraw(host, plot, { timeZone: zoneFor(jobName), isEmpty });
  return { host, isBroken };
}

/** Draws anew when the size, the theme or the zone is another. */
function useRedraw(
  host: { readonly current: HTMLElement | null },
  plot: { readonly current: Plot | null },
  { timeZone, isEmpty }: { readonly timeZone: string; readonly isEmpty: boolean },
): void {
  const chosen = theme.value;
  useEffect(() => plot.current?.redraw(), [chosen, timeZone]);
  useEffect(() => {
    const redraw = (): void => plot.current?.redraw();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const size = new ResizeObserver(redraw);
    if (host.current !== null) size.observe(host.current);
    dark.addEventListener('change', redraw);
    return () => {
      size.disconnect();
      dark.removeEventListener('change', redraw);
    };
  }, [isEmpty]);
}

interface LegendProps {
  readonly data: ChartData;
  readonly index: number | null;
  readonly jobName: string;
}

/** What the lines are; with their values where somebody points. */
function Legend({ data, index, jobName }: LegendProps): JSX.Element {
  const at = index === null ? undefined : data.at[index];
  const value = (values: readonly number[]): string => (index === null ? '' : ` ${durationText(values[index] ?? 0)}`);
  return (
    <p class="chart-legend">
      {at !== undefined && <Instant at={new Date(at * 1_000).toISOString()} job={jobName} />}
      <span class="chart-p50">p50{value(data.p50Ms)}</span>
      <span class="chart-p95">p95{value(data.p95Ms)}</span>
    </p>
  );
}
