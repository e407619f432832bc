import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../../shell/theme.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { zoneFor } from '../../time/zone.js';
import type { ChartData } from './chart-data.js';
import type { Plot, PlotSettings } from './plot-frame.js';

type Drawing = typeof import('./plot.js');

interface ChartProps<Data> {
  readonly title: string;
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly data: Data;
  readonly isEmpty: boolean;
  readonly jobName: string;
  /** Which of the drawings it is. */
  readonly by: (drawing: Drawing) => (host: HTMLElement, settings: PlotSettings<Data>) => Plot<Data>;
  /** What is drawn; with its values at the point that somebody points at. */
  readonly legend: (pointed: number | null) => ComponentChildren;
  readonly isLow?: boolean;
}

/** Something over time. Its values are also in a table, for those who cannot see it. */
export function Chart<Data>(props: ChartProps<Data>): JSX.Element {
  const { title, label, isEmpty, legend, isLow = false } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const { host, isBroken } = usePlot(props, setPointed);
  const height = isLow ? ' is-low' : '';
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <p class="chart-legend">{legend(pointed)}</p>
      </figcaption>
      {isEmpty ? (
        <p class={`chart-empty muted${height}`}>Nothing to show in this stretch of time.</p>
      ) : isBroken ? (
        <p class={`chart-empty muted${height}`}>
          The chart could not be loaded. The table has its values; reload to try again.
        </p>
      ) : (
        <div
          ref={host}
          class={`chart-host${height}`}
          role="img"
          aria-label={`${title}: ${label} The table below has the values.`}
        />
      )}
    </figure>
  );
}

function usePlot<Data>(
  { data, jobName, isEmpty, by }: ChartProps<Data>,
  onPoint: (index: number | null) => void,
): { readonly host: { current: HTMLDivElement | null }; readonly isBroken: boolean } {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot<Data> | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const draw = (drawing: Drawing): void => {
      if (!isWanted || host.current === null) return;
      plot.current = by(drawing)(host.current, { data: latest.current, timeZone: () => zoneFor(jobName), onPoint });
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
  plot: { readonly current: { redraw(): void } | null },
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

interface PercentileChartProps {
  readonly title: string;
  readonly data: ChartData;
  readonly jobName: string;
}

/** A measure by two percentiles. */
export const PercentileChart = ({ title, data, jobName }: PercentileChartProps): JSX.Element => (
  <Chart
    title={title}
    label={`p50 and p95 of ${data.at.length} stretches of time.`}
    data={data}
    isEmpty={data.at.length === 0}
    jobName={jobName}
    by={({ drawLines }) => drawLines}
    legend={(pointed) => <PercentileLegend data={data} index={pointed} jobName={jobName} />}
  />
);

interface LegendProps {
  readonly data: ChartData;
  readonly index: number | null;
  readonly jobName: string;
}

function PercentileLegend({ data, index, jobName }: LegendProps): JSX.Element {
  const at = index === null ? undefined : data.at[index];
  const value = (values: readonly number[]): string => (index === null ? '' : ` ${durationText(values[index] ?? 0)}`);
  return (
    <>
      {at !== undefined && <Instant at={new Date(at * 1_000).toISOString()} job={jobName} />}
      <span class="chart-p50">p50{value(data.p50Ms)}</span>
      <span class="chart-p95">p95{value(data.p95Ms)}</span>
    </>
  );
}
