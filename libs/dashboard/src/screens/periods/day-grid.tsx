import type { JSX } from 'preact';
import type { GridRow } from '../../api/answers.js';
import { Cell } from './cell.js';
import { cellsByDay, dayColumns, type DayColumn } from './day-columns.js';
import { RowHead } from './row-head.js';

interface DayGridProps {
  readonly rows: readonly GridRow[];
  /** Of columns. */
  readonly limit: number;
}

/** Jobs whose periods are days, below each other: a column is a day, in the zone of each job. */
export function DayGrid({ rows, limit }: DayGridProps): JSX.Element {
  const columns = dayColumns(
    rows.map(({ items }) => items),
    limit,
  );
  return (
    <table class="grid" aria-label="Periods by day">
      <thead>
        <tr>
          <th scope="col">Job</th>
          {columns.map((column) => (
            <DayHead key={column.date} of={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.jobName}>
            <th scope="row">
              <RowHead of={row} />
            </th>
            {cellsByDay(row.items, columns).map((cell, column) => (
              <td key={columns[column]?.date}>
                {cell !== null && <Cell of={cell} job={row.jobName} row={index} column={column} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const DayHead = ({ of: { date, day, month } }: { readonly of: DayColumn }): JSX.Element => (
  <th scope="col" class="day" title={date}>
    <span class="month">{month}</span>
    {day}
  </th>
);
