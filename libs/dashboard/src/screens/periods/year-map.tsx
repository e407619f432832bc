import type { JSX } from 'preact';
import type { PeriodCell } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { Glyph } from '../../ui/state.js';
import { cellPath, textOf } from './cell.js';
import { placed } from './cell-field.js';
import { markOf } from './period-text.js';
import { monthHeads, yearDays, type YearDay } from './year-layout.js';

const STEP = 19;
const SIDE = 16;
const LEFT = 34;
const TOP = 20;
const GLYPH = 10;
const WEEKS = 54;
const WIDTH = LEFT + WEEKS * STEP;
const HEIGHT = TOP + 7 * STEP;
const INSET = (SIDE - GLYPH) / 2;
const BASELINE = 12;
/** The rows that are named. */
const WEEKDAYS: readonly (readonly [string, number])[] = [
  ['Mon', 0],
  ['Wed', 2],
  ['Fri', 4],
  ['Sun', 6],
];

interface YearMapProps {
  readonly job: string;
  readonly year: number;
  readonly cells: readonly PeriodCell[];
}

/** The days of a year as a calendar: a column a week, a square a day. */
export function YearMap({ job, year, cells }: YearMapProps): JSX.Element {
  const days = yearDays(year);
  const byDate = new Map(cells.map((cell) => [cell.period, cell]));
  return (
    <svg class="year" width={WIDTH} height={HEIGHT} role="group" aria-label={`${year} of ${job}`}>
      {monthHeads(days).map(({ text, week }) => (
        <text key={text} x={LEFT + week * STEP} y={BASELINE}>
          {text}
        </text>
      ))}
      {WEEKDAYS.map(([text, weekday]) => (
        <text key={text} x={0} y={TOP + weekday * STEP + BASELINE}>
          {text}
        </text>
      ))}
      {byWeekday(days).map((day) => (
        <Day key={day.date} day={day} cell={byDate.get(day.date)} job={job} />
      ))}
    </svg>
  );
}

/** Row by row, so that the arrows walk along the rows. */
const byWeekday = (days: readonly YearDay[]): readonly YearDay[] =>
  days.toSorted((a, b) => a.weekday - b.weekday || a.week - b.week);

interface DayProps {
  readonly day: YearDay;
  readonly cell: PeriodCell | undefined;
  readonly job: string;
}

function Day({ day: { week, weekday }, cell, job }: DayProps): JSX.Element {
  const place = { x: LEFT + week * STEP, y: TOP + weekday * STEP };
  const square = <rect {...place} width={SIDE} height={SIDE} rx={3} />;
  if (cell === undefined) return <g class="no-day">{square}</g>;
  const of = { ...placed(weekday, week), class: `cell is-${cell.state}`, 'aria-label': textOf(cell, job) };
  const drawn = (
    <>
      {square}
      <Glyph mark={markOf(cell.state)} box={{ x: place.x + INSET, y: place.y + INSET, width: GLYPH, height: GLYPH }} />
    </>
  );
  const path = cellPath(cell, job);
  return path === null ? (
    <g role="img" {...of}>
      {drawn}
    </g>
  ) : (
    <Link to={path} {...of}>
      {drawn}
    </Link>
  );
}
