// All drawing, loaded only when there is something to draw: no other screen pays for it.
import uPlot from 'uplot';
import { settingText } from '../../time/duration-text.js';
import { DURATION_STEPS, type ChartData } from './chart-data.js';
import { OUTCOMES, stacked, type OutcomeData } from './outcome-data.js';
import { drawFrame, type Ink, type Plot, type PlotSettings } from './plot-frame.js';

/** Two percentiles as lines, with the room between them filled. */
export const drawLines = (host: HTMLElement, settings: PlotSettings<ChartData>): Plot<ChartData> =>
  drawFrame(
    host,
    {
      rowsOf: ({ at, p50Ms, p95Ms }) => [[...at], [...p50Ms], [...p95Ms]],
      series: linesOf,
      bands: (ink) => [{ series: [2, 1], fill: () => ink('--accent-ground') }],
      values: {
        incrs: [...DURATION_STEPS],
        values: (_, ticks) => ticks.map((ms) => (ms === 0 ? '0' : settingText(ms))),
      },
    },
    settings,
  );

/** How many executions ended in which way, as bars on top of each other. */
export const drawBars = (host: HTMLElement, settings: PlotSettings<OutcomeData>): Plot<OutcomeData> =>
  drawFrame(
    host,
    {
      rowsOf: (data) => [[...data.at], ...stacked(data)],
      series: barsOf,
      values: {
        incrs: COUNT_STEPS,
        values: (_, ticks) => ticks.map((count) => count.toLocaleString('en')),
      },
    },
    settings,
  );

/** There is no half of an execution. */
const COUNT_STEPS = [0, 1, 2, 3, 4].flatMap((power) => [1, 2, 5].map((each) => each * 10 ** power));

function linesOf(ink: Ink): readonly uPlot.Series[] {
  const line = { width: 1.5, spanGaps: true, stroke: () => ink('--accent') } satisfies uPlot.Series;
  const points = { size: 5, fill: () => ink('--accent') } satisfies uPlot.Series.Points;
  return [
    { ...line, points },
    { ...line, points: { ...points, fill: () => ink('--surface') }, dash: [4, 3] },
  ];
}

/** The whole of each bar first; what lies lower is drawn over it. */
function barsOf(ink: Ink): readonly uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.9, 48], align: 1 });
  return OUTCOMES.toReversed().map(({ edge, fill, isHatched = false }) => ({
    ...(paths === undefined ? {} : { paths }),
    width: 1,
    points: { show: false },
    stroke: () => ink(edge),
    fill: (plot) => (isHatched ? hatch(plot.ctx, ink(fill), ink(edge)) : ink(fill)),
  }));
}

const TILE_PX = 5;

/** Stripes, so that it is told from its neighbours without their colours. */
function hatch(on: CanvasRenderingContext2D, ground: string, line: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = TILE_PX;
  const ctx = tile.getContext('2d');
  if (ctx === null) return line;
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, TILE_PX, TILE_PX);
  ctx.fillStyle = line;
  for (let step = 0; step < TILE_PX; step += 1) ctx.fillRect(step, TILE_PX - 1 - step, 2, 1);
  return on.createPattern(tile, 'repeat') ?? line;
}
