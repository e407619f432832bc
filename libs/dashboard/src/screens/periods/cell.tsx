import type { JSX } from 'preact';
import type { PeriodCell } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf } from '../../router/route.js';
import { fullText } from '../../time/instant.js';
import { zoneFor } from '../../time/zone.js';
import { Glyph } from '../../ui/state.js';
import { placed } from './cell-field.js';
import { holePath } from './hole.js';
import { cellText, markOf } from './period-text.js';

interface CellProps {
  readonly of: PeriodCell;
  readonly job: string;
  readonly row: number;
  readonly column: number;
}

/** One period: a square whose colour and sign tell its state. It leads to its execution, or to how a hole is filled. */
export function Cell({ of: cell, job, row, column }: CellProps): JSX.Element {
  const of = { ...placed(row, column), class: `cell is-${cell.state}`, 'aria-label': textOf(cell, job) };
  const glyph = <Glyph mark={markOf(cell.state)} />;
  const path = cellPath(cell, job);
  if (path !== null) {
    return (
      <Link to={path} {...of}>
        {glyph}
      </Link>
    );
  }
  return (
    <span role="img" {...of}>
      {glyph}
    </span>
  );
}

/** Where the execution of a period is shown, or the hole that it is filled; null = there is nothing to show or to do. */
export const cellPath = (cell: PeriodCell, job: string): string | null =>
  cell.executionId === null || cell.state === 'pruned' ? holePath(cell, job) : pathOf('executions', cell.executionId);

export function textOf(cell: PeriodCell, job: string): string {
  const text = cellText(cell, fullText(cell.scheduledFor, zoneFor(job)), job);
  return holePath(cell, job) === null ? text : `${text} · backfill it`;
}
