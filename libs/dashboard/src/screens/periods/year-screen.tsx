import type { JSX } from 'preact';
import type { JobPeriods } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery, type RouteParams } from '../../router/route.js';
import { Heading } from '../../shell/heading.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { CellField } from './cell-field.js';
import { HoleDialog } from './hole.js';
import { Legend } from './legend.js';
import { areDays } from './period-text.js';
import { YearMap } from './year-map.js';
import { yearWindow } from './year-layout.js';

const YEAR = /^(19[7-9]|2\d\d)\d$/;
const REST_MS = 30_000;

/** A year of a job whose periods are days. */
export function YearScreen({ params: { job = '', year: text = '' } }: { readonly params: RouteParams }): JSX.Element {
  const year = YEAR.test(text) ? Number(text) : null;
  const path = year === null ? null : withQuery(`${pathOf('jobs', job)}/periods`, yearWindow(year));
  const periods = useResource<JobPeriods>(path, { restMs: REST_MS });
  return (
    <>
      <Heading title={job} above={<Link to="/periods">Periods</Link>}>
        {year !== null && <Years around={year} job={job} />}
      </Heading>
      {year === null ? (
        <Nothing title="That is no year.">Years have four digits, such as 2026.</Nothing>
      ) : (
        <Answer of={periods}>{(answer) => <Year of={answer} year={year} />}</Answer>
      )}
      <HoleDialog onDone={() => periods.reload()} />
    </>
  );
}

const Years = ({ around, job }: { readonly around: number; readonly job: string }): JSX.Element => (
  <nav class="years" aria-label="Years">
    {[around - 1, around, around + 1].map((year) => (
      <Link key={year} to={pathOf('periods', job, String(year))} aria-current={year === around ? 'page' : undefined}>
        {year}
      </Link>
    ))}
  </nav>
);

function Year({
  of: { jobName, timeZone, items, unreadable },
  year,
}: {
  readonly of: JobPeriods;
  readonly year: number;
}) {
  if (unreadable !== null) return <Nothing title="Its periods cannot be named here.">{unreadable}</Nothing>;
  const own = items.filter(({ period }) => period.startsWith(`${year}-`));
  const all = <Link to={pathOf('periods', jobName)}>Look at its newest periods</Link>;
  if (own.length === 0) return <Nothing title={`It has no periods in ${year}.`}>{all}</Nothing>;
  if (!areDays(own)) return <Nothing title="Its periods are not days.">{all}</Nothing>;
  return (
    <CellField>
      <p class="muted window">
        Days of {year} in {timeZone}, each a period. {all}.
      </p>
      <Legend of={own} />
      <div class="grid-frame">
        <YearMap job={jobName} year={year} cells={own} />
      </div>
    </CellField>
  );
}
