import type { JSX } from 'preact';
import type { GridRow } from '../../api/answers.js';
import { Instant } from '../../time/instant.js';
import { Cell } from './cell.js';
import { RowHead } from './row-head.js';

interface StripGridProps {
  readonly rows: readonly GridRow[];
  /** Row numbers go on from here. */
  readonly firstRow: number;
}

/** Jobs with all other periods: those of each in their order, the newest at the right. */
export function StripGrid({ rows, firstRow }: StripGridProps): JSX.Element {
  const longest = Math.max(...rows.map(({ items }) => items.length));
  return (
    <table class="grid" aria-label="Periods in their order">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col" class="strip-head">
            Since
          </th>
          <th scope="col" class="strip-head">
            The newest at the right
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.jobName}>
            <th scope="row">
              <RowHead of={row} />
            </th>
            <td class="since muted">
              <Since of={row} />
            </td>
            <td>
              <div class="cells is-at-end">
                {row.items.map((cell, column) => (
                  <Cell
                    key={cell.period}
                    of={cell}
                    job={row.jobName}
                    row={firstRow + index}
                    column={longest - row.items.length + column}
                  />
                ))}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Since({ of: { items, unreadable, jobName } }: { readonly of: GridRow }): JSX.Element {
  if (unreadable !== null) return <span title={unreadable}>its periods cannot be named here</span>;
  const [first] = items;
  return first === undefined ? <span>none in this time</span> : <Instant at={first.scheduledFor} job={jobName} />;
}
