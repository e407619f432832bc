import type { JSX } from 'preact';
import type { ChangeHint, JobList, Page, Schedule } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { ChoiceFilter, ClearFilters, TextFilter } from '../../ui/filters.js';
import { standingsOf } from '../job/standings.js';
import { JobTable, type JobRow } from './job-table.js';

const LOOK_EVERY_MS = 10_000;
const FILTERS = ['name', 'kind', 'standing'];
const KINDS = { '': 'all', scheduled: 'scheduled', background: 'background' } as const;
const STANDINGS = { '': 'any', attention: 'not ready', 'dead-letters': 'dead letters' } as const;

/** All jobs: how each stands, when it last ran and when it will. */
export function JobsScreen(): JSX.Element {
  const options = { pollMs: LOOK_EVERY_MS, concerns: ({ topic }: ChangeHint) => topic === 'operations' };
  const jobs = useResource<JobList>('/jobs', options);
  const schedules = useResource<Pick<Page<Schedule>, 'items'>>('/schedules', options).state.value.data?.items ?? [];
  return (
    <>
      <Heading title="Jobs" />
      <div class="filters">
        <TextFilter name="name" text="Name contains" />
        <ChoiceFilter name="kind" text="Kind" choices={KINDS} />
        <ChoiceFilter name="standing" text="Standing" choices={STANDINGS} />
        <ClearFilters names={FILTERS} />
      </div>
      <Answer of={jobs}>{(list) => <Jobs of={list} schedules={schedules} />}</Answer>
    </>
  );
}

interface JobsProps {
  readonly of: JobList;
  readonly schedules: readonly Schedule[];
}

function Jobs({ of: { items, hasMore, deadLettersCapped }, schedules }: JobsProps): JSX.Element {
  const byJob = new Map(schedules.map((schedule) => [schedule.jobName, schedule]));
  const rows = items.map((job): JobRow => ({ job, schedule: byJob.get(job.jobName) ?? null })).filter(isWanted);
  if (items.length === 0) {
    return <Nothing title="There are no jobs yet.">They appear when an application with jobs has started.</Nothing>;
  }
  if (rows.length === 0) return <Nothing title="No job fits this filter.">Take a part of the filter away.</Nothing>;
  return (
    <>
      <JobTable rows={rows} />
      {hasMore && <p class="muted">There are more than {items.length} jobs; these are the first by name.</p>}
      {deadLettersCapped && <p class="muted">Of the dead letters only the newest 10,000 are counted.</p>}
    </>
  );
}

function isWanted({ job, schedule }: JobRow): boolean {
  return (
    job.jobName.toLowerCase().includes(filterOf('name').toLowerCase()) &&
    (filterOf('kind') === '' || (filterOf('kind') === 'scheduled') === job.scheduled) &&
    (filterOf('standing') !== 'attention' || standingsOf(job, schedule)[0].mark !== 'good') &&
    (filterOf('standing') !== 'dead-letters' || job.deadLetters > 0)
  );
}

const filterOf = (name: string): string => query.value.get(name) ?? '';
