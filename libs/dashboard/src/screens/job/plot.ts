import uPlot from 'uplot';
// oxlint-disable-next-line import/no-unassigned-import -- styles, of a package
import 'uplot/dist/uPlot.min.css';
import { settingText } from '../../time/duration-text.js';
import { axisText, DURATION_STEPS, type ChartData } from './chart-data.js';

/** A chart that is drawn. */
export interface Plot {
  update(data: ChartData): void;
  /** Draws it with the colours and at the size of the present. */
  redraw(): void;
  end(): void;
}

export interface PlotSettings {
  readonly data: ChartData;
  readonly timeZone: () => string;
  /** Which point somebody points at; null = none. */
  readonly onPoint: (index: number | null) => void;
}

const FONT = '12px ui-sans-serif, system-ui, sans-serif';

/** Draws a chart into an element. It is loaded only when there is one to draw: no other screen pays for it. */
export function drawPlot(host: HTMLElement, { data, timeZone, onPoint }: PlotSettings): Plot {
  let shown = data;
  const ink = inkOf(host);
  const options: uPlot.Options = {
    ...sizeOf(host),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), timeZone()),
    scales: { x: { range: () => [shown.from, shown.to] }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    axes: axesOf(ink, timeZone),
    series: seriesOf(ink),
    bands: [{ series: [2, 1], fill: () => ink('--accent-ground') }],
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
      drawSeries: [(plot, series) => series === 2 && markVersions(plot, shown.versions, ink)],
    },
  };
  const plot = new uPlot(options, rowsOf(data), host);
  return {
    update: (changed) => {
      shown = changed;
      plot.setData(rowsOf(changed));
    },
    redraw: () => {
      plot.setSize(sizeOf(host));
      plot.redraw(false);
    },
    end: () => plot.destroy(),
  };
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height });

type Ink = (token: string) => string;

const rowsOf = ({ at, p50Ms, p95Ms }: ChartData): uPlot.AlignedData => [[...at], [...p50Ms], [...p95Ms]];

/** Gives what a colour of the page's styles is at present: a canvas knows neither variables nor themes. */
function inkOf(host: HTMLElement): Ink {
  return (token) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${token})`;
    host.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function seriesOf(ink: Ink): uPlot.Series[] {
  const line = { width: 1.5, spanGaps: true, stroke: () => ink('--accent') } satisfies uPlot.Series;
  const points = { size: 5, fill: () => ink('--accent') } satisfies uPlot.Series.Points;
  return [{}, { ...line, points }, { ...line, points: { ...points, fill: () => ink('--surface') }, dash: [4, 3] }];
}

function axesOf(ink: Ink, timeZone: () => string): uPlot.Axis[] {
  const look = { font: FONT, stroke: () => ink('--ink-soft') } satisfies uPlot.Axis;
  const lines = { stroke: () => ink('--line'), width: 1 } satisfies uPlot.Axis.Grid;
  return [
    {
      ...look,
      grid: { show: false },
      ticks: { ...lines, size: 4 },
      space: 64,
      size: 28,
      values: (_, ticks, __, ___, step) => ticks.map((at) => axisText(at, step, timeZone())),
    },
    {
      ...look,
      grid: lines,
      ticks: { show: false },
      size: 68,
      incrs: [...DURATION_STEPS],
      values: (_, ticks) => ticks.map((ms) => (ms === 0 ? '0' : settingText(ms))),
    },
  ];
}

/** A line and its number where another version of the schedule came into force. */
function markVersions(plot: uPlot, versions: ChartData['versions'], ink: Ink): void {
  const { ctx, bbox } = plot;
  const scale = uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = ink('--ink-soft');
  ctx.lineWidth = scale;
  ctx.font = FONT.replace('12px', `${11 * scale}px`);
  ctx.textBaseline = 'top';
  for (const { at, version } of versions) {
    const x = Math.round(plot.valToPos(at, 'x', true));
    ctx.setLineDash([2 * scale, 3 * scale]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isAtEnd = x > bbox.left + bbox.width - 30 * scale;
    ctx.textAlign = isAtEnd ? 'right' : 'left';
    ctx.fillText(`v${version}`, x + (isAtEnd ? -4 : 4) * scale, bbox.top);
  }
  ctx.restore();
}
