import type { JSX } from 'preact';
import type { GridRow } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery } from '../../router/route.js';
import { areDays } from './period-text.js';

/** The job of a row and the zone of its periods. It leads to the year of periods that are days, else to those of the row. */
export function RowHead({ of: { jobName, timeZone, items } }: { readonly of: GridRow }): JSX.Element {
  return (
    <div class="row-head">
      <Link to={pathFor(jobName, items)} title={jobName}>
        {jobName}
      </Link>
      <span class="zone">{timeZone}</span>
    </div>
  );
}

const pathFor = (job: string, items: GridRow['items']): string =>
  areDays(items)
    ? pathOf('periods', job, items.at(-1)?.period.slice(0, 4) ?? '')
    : withQuery(pathOf('periods', job), { from: items[0]?.scheduledFor });
