import type { JSX } from 'preact';
import type { GridRow } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf } from '../../router/route.js';
import { areDays } from './period-text.js';

/** The job of a row and the zone of its periods. It leads to the year of periods that are days, else to all that were. */
export function RowHead({ of: { jobName, timeZone, items } }: { readonly of: GridRow }): JSX.Element {
  const year = areDays(items) ? [items.at(-1)?.period.slice(0, 4) ?? ''] : [];
  return (
    <div class="row-head">
      <Link to={pathOf('periods', jobName, ...year)} title={jobName}>
        {jobName}
      </Link>
      <span class="zone">{timeZone}</span>
    </div>
  );
}
