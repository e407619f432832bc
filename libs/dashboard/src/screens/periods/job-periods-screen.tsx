import type { JSX } from 'preact';
import type { JobPeriods, PeriodCell } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery, type RouteParams } from '../../router/route.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { instantText } from '../../time/instant-text.js';
import { Instant } from '../../time/instant.js';
import { zoneFor } from '../../time/zone.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { ClearFilters } from '../../ui/filters.js';
import { Pager } from '../../ui/pager.js';
import { TimeFilter } from '../executions/time-filter.js';
import { Cell } from './cell.js';
import { CellField } from './cell-field.js';
import { HoleDialog } from './hole.js';
import { Legend } from './legend.js';
import { areDays } from './period-text.js';

const REST_MS = 10_000;

/** All periods of a job in a stretch of time: a row for each day. */
export function JobPeriodsScreen({ params: { job = '' } }: { readonly params: RouteParams }): JSX.Element {
  const path = withQuery(`${pathOf('jobs', job)}/periods`, {
    from: query.value.get('from'),
    to: query.value.get('to'),
    cursor: query.value.get('cursor'),
  });
  const periods = useResource<JobPeriods>(path, { restMs: REST_MS });
  return (
    <>
      <Heading title={job} above={<Above job={job} />} />
      <div class="filters">
        <TimeFilter />
        <ClearFilters names={['from', 'to']} />
      </div>
      <Answer of={periods}>{(answer) => <Periods of={answer} />}</Answer>
      <HoleDialog onDone={() => periods.reload()} />
    </>
  );
}

const Above = ({ job }: { readonly job: string }): JSX.Element => (
  <>
    <Link to="/periods">Periods</Link> · <Link to={pathOf('jobs', job)}>the job</Link>
  </>
);

function Periods({ of }: { readonly of: JobPeriods }): JSX.Element {
  const { jobName, timeZone, items, unreadable, nextCursor } = of;
  if (unreadable !== null) return <Nothing title="Its periods cannot be named here.">{unreadable}</Nothing>;
  if (items.length === 0) {
    return <Nothing title="No period was scheduled in this time.">Look at another stretch of time.</Nothing>;
  }
  const zone = zoneFor(jobName);
  const year = items.at(-1)?.period.slice(0, 4) ?? '';
  return (
    <CellField>
      <p class="muted window">
        Scheduled from <Instant at={of.from} job={jobName} /> to <Instant at={of.to} job={jobName} />. Periods are named
        in {timeZone}; days are those of {zone}.{' '}
        {areDays(items) && <Link to={pathOf('periods', jobName, year)}>The whole year</Link>}
      </p>
      <Legend of={items} />
      <div class="grid-frame">
        <table class="grid" aria-label={`Periods of ${jobName}`}>
          <tbody>
            {byDate(items, zone).map(([date, cells], row) => (
              <Day key={date} date={date} cells={cells} job={jobName} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager nextCursor={nextCursor} first="From the start" next="Later ones" />
    </CellField>
  );
}

interface DayProps {
  readonly date: string;
  readonly cells: readonly PeriodCell[];
  readonly job: string;
  readonly row: number;
}

const Day = ({ date, cells, job, row }: DayProps): JSX.Element => (
  <tr>
    <th scope="row" class="date">
      {date}
    </th>
    <td>
      <div class="cells">
        {cells.map((cell, column) => (
          <Cell key={cell.period} of={cell} job={job} row={row} column={column} />
        ))}
      </div>
    </td>
  </tr>
);

/** The cells of each day on the clock of a zone, in their order. */
function byDate(items: readonly PeriodCell[], zone: string): readonly (readonly [string, readonly PeriodCell[]])[] {
  const days = new Map<string, PeriodCell[]>();
  for (const cell of items) {
    const { date } = instantText(Date.parse(cell.scheduledFor), zone);
    const day = days.get(date) ?? [];
    day.push(cell);
    days.set(date, day);
  }
  return [...days];
}
