import type { PeriodCell } from '../../api/answers.js';
import { MONTHS } from '../../time/instant-text.js';
import { DAY_MS } from '../../time/spans.js';

/** A column of the grid of days. */
export interface DayColumn {
  /** `2026-08-14`. */
  readonly date: string;
  /** `14`. */
  readonly day: string;
  /** `Aug` where a month begins, and in the first column. */
  readonly month: string | null;
}

/** All days from the first to the last that some row has, the last `limit` of them. */
export function dayColumns(rows: readonly (readonly PeriodCell[])[], limit: number): readonly DayColumn[] {
  const dates = rows.flatMap((cells) => [cells[0]?.period ?? '', cells.at(-1)?.period ?? '']).filter(Boolean);
  if (dates.length === 0) return [];
  const [first = '', last = ''] = [dates.toSorted()[0], dates.toSorted().at(-1)];
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const count = Math.min(days, limit);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(last) - (count - 1 - index) * DAY_MS);
    const isFirst = index === 0 || at.getUTCDate() === 1;
    return {
      date: at.toISOString().slice(0, 10),
      day: String(at.getUTCDate()),
      month: isFirst ? (MONTHS[at.getUTCMonth()] ?? null) : null,
    };
  });
}

/** The cell of each column; null = the schedule has no such period. */
export function cellsByDay(
  cells: readonly PeriodCell[],
  columns: readonly DayColumn[],
): readonly (PeriodCell | null)[] {
  const byDate = new Map(cells.map((cell) => [cell.period, cell]));
  return columns.map(({ date }) => byDate.get(date) ?? null);
}
