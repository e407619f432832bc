import type { JSX } from 'preact';
import type { Schedule } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf } from '../../router/route.js';
import { Ago, Instant } from '../../time/instant.js';
import { Nothing } from '../../ui/answer.js';
import { Table, type Column } from '../../ui/table.js';

const SHOWN = 10;

const COLUMNS: readonly Column<Schedule>[] = [
  { head: 'Job', grows: true, cell: ({ jobName }) => <Link to={pathOf('periods', jobName)}>{jobName}</Link> },
  { head: 'Fires', align: 'end', cell: ({ nextAt, jobName }) => <Ago at={nextAt} job={jobName} /> },
  { head: 'At', cell: ({ nextAt, jobName }) => <Instant at={nextAt} job={jobName} /> },
];

/** The schedules that fire next. */
export function NextFires({ of }: { readonly of: readonly Schedule[] }): JSX.Element {
  const next = of
    .filter(({ nextAt }) => nextAt !== null)
    .toSorted((a, b) => Date.parse(a.nextAt ?? '') - Date.parse(b.nextAt ?? ''))
    .slice(0, SHOWN);
  if (next.length === 0) {
    return <Nothing title="Nothing fires.">There are no schedules, or all of them stand still.</Nothing>;
  }
  return <Table caption="Next fires" columns={COLUMNS} rows={next} keyOf={({ scheduleName }) => scheduleName} />;
}
