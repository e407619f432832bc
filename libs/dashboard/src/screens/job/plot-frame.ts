import uPlot from 'uplot';
// oxlint-disable-next-line import/no-unassigned-import -- styles, of a package
import 'uplot/dist/uPlot.min.css';
import { axisText, type Stretch } from './chart-data.js';

/** A chart that is drawn. */
export interface Plot<Data> {
  update(data: Data): void;
  /** Draws it with the colours and at the size of the present. */
  redraw(): void;
  end(): void;
}

export interface PlotSettings<Data> {
  readonly data: Data;
  readonly timeZone: () => string;
  /** Which point somebody points at; null = none. */
  readonly onPoint: (index: number | null) => void;
}

/** Gives what a colour of the page's styles is at present: a canvas knows neither variables nor themes. */
export type Ink = (token: string) => string;

/** What makes one chart differ from another. */
export interface PlotKind<Data> {
  readonly rowsOf: (data: Data) => uPlot.AlignedData;
  readonly series: (ink: Ink) => readonly uPlot.Series[];
  readonly bands?: (ink: Ink) => uPlot.Band[];
  /** How values are written beside their axis. */
  readonly values: Pick<uPlot.Axis, 'incrs' | 'values'>;
}

const FONT = '12px ui-sans-serif, system-ui, sans-serif';
/** Above the highest value; numbers of versions stand in it. */
const HEADROOM_PX = 32;

/** Draws a chart of a kind into an element: time to the right, with a mark where another version came into force. */
export function drawFrame<Data extends Stretch>(
  host: HTMLElement,
  { rowsOf, series, bands, values }: PlotKind<Data>,
  { data, timeZone, onPoint }: PlotSettings<Data>,
): Plot<Data> {
  let shown = data;
  const ink = inkOf(host);
  const lines = series(ink);
  const plot = new uPlot(
    {
      ...sizeOf(host),
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), timeZone()),
      scales: {
        x: { range: () => [shown.from, shown.to] },
        y: { range: ({ height }, _, most) => [0, Math.max(1, most) * (1 + HEADROOM_PX / height)] },
      },
      axes: axesOf(ink, timeZone, values),
      series: [{}, ...lines],
      bands: bands?.(ink) ?? [],
      hooks: {
        setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
        drawSeries: [(drawn, index) => index === lines.length && markVersions(drawn, shown.versions, ink)],
      },
    },
    rowsOf(data),
    host,
  );
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

function axesOf(ink: Ink, timeZone: () => string, values: PlotKind<unknown>['values']): uPlot.Axis[] {
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
    { ...look, grid: lines, ticks: { show: false }, size: 68, ...values },
  ];
}

/** A line and its number where another version of the schedule came into force. */
function markVersions(plot: uPlot, versions: Stretch['versions'], ink: Ink): void {
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
