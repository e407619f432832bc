import type { JSX } from 'preact';
import type { Job, Schedule } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery } from '../../router/route.js';
import { durationText } from '../../time/duration-text.js';
import { Ago } from '../../time/instant.js';
import { Absent } from '../../ui/absent.js';
import { countText } from '../../ui/number-text.js';
import { Marked, State } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';
import { standingsOf } from '../job/standings.js';

/** A job, and its schedule if it has one. */
export interface JobRow {
  readonly job: Job;
  readonly schedule: Schedule | null;
}

const COLUMNS: readonly Column<JobRow>[] = [
  { head: 'Job', isName: true, cell: ({ job: { jobName } }) => <Link to={pathOf('jobs', jobName)}>{jobName}</Link> },
  { head: 'Standing', cell: (row) => <Standing of={row} /> },
  { head: 'When', grows: true, cell: (row) => <When of={row} /> },
  { head: 'Last', cell: ({ job }) => <Last of={job} /> },
  {
    head: 'Duration',
    align: 'end',
    isMinor: true,
    cell: ({ job: { last } }) =>
      last === null || last.durationMs === null ? <Absent /> : durationText(last.durationMs),
  },
  {
    head: 'Next',
    align: 'end',
    cell: ({ job, schedule }) => <Ago at={schedule?.nextAt ?? null} job={job.jobName} />,
  },
  { head: 'Queue', isMinor: true, cell: ({ job: { queue } }) => queue ?? <Absent /> },
  { head: 'Dead letters', align: 'end', cell: ({ job }) => <DeadLetters of={job} /> },
];

export function JobTable({ rows }: { readonly rows: readonly JobRow[] }): JSX.Element {
  return <Table caption="Jobs" columns={COLUMNS} rows={rows} keyOf={({ job }) => job.jobName} />;
}

/** What keeps it from work before all else. */
function Standing({ of: { job, schedule } }: { readonly of: JobRow }): JSX.Element {
  const [{ mark, text, note }, ...others] = standingsOf(job, schedule);
  return (
    <span title={note}>
      <Marked mark={mark} text={others.length === 0 ? text : `${text} +${others.length}`} />
    </span>
  );
}

function When({ of: { job, schedule } }: { readonly of: JobRow }): JSX.Element {
  if (!job.scheduled) return <span class="muted">when it is enqueued</span>;
  if (schedule === null) return <Absent />;
  const text = schedule.description ?? schedule.expression;
  return <span title={`${schedule.expression} · ${schedule.timeZone}`}>{text}</span>;
}

function Last({ of: { last, jobName } }: { readonly of: Job }): JSX.Element {
  if (last === null) return <span class="muted">never</span>;
  return (
    <Link to={pathOf('executions', last.executionId)} class="last-execution">
      <State state={last.state} reason={last.reason} />{' '}
      <span class="muted">
        <Ago at={last.scheduledFor} job={jobName} />
      </span>
    </Link>
  );
}

function DeadLetters({ of: { deadLetters, jobName } }: { readonly of: Job }): JSX.Element {
  if (deadLetters === 0) return <Absent />;
  return (
    <Link to={withQuery('/dead-letters', { job: jobName })}>
      <Marked mark="failed" text={countText(deadLetters)} />
    </Link>
  );
}
