import type { JSX } from 'preact';
import type { JobDetail, ScheduleDetail } from '../../api/answers.js';
import { useResource, type ResourceOptions } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery, type RouteParams } from '../../router/route.js';
import { Heading } from '../../shell/heading.js';
import { Answer, ProblemNote } from '../../ui/answer.js';
import { Runbook } from '../../ui/runbook.js';
import { JobActions } from './job-actions.js';
import { JobFacts } from './job-facts.js';
import { LatestExecutions } from './latest-executions.js';
import { ScheduleHistory } from './schedule-history.js';
import { Standings } from './standing-list.js';
import { StatisticsPart } from './statistics-part.js';
import { UpcomingFires } from './upcoming-fires.js';

/** Its executions are hints, which do not change how the job itself stands. */
const OPTIONS: ResourceOptions = { concerns: ({ topic }) => topic === 'operations', pollMs: 10_000 };

/** Everything about one job: how it stands, when it fires, how it went, and what was done to it. */
export function JobScreen({ params }: { readonly params: RouteParams }): JSX.Element {
  const { job: name = '' } = params;
  const detail = useResource<JobDetail>(pathOf('jobs', name), OPTIONS);
  const job = detail.state.value.data;
  const schedule = useResource<ScheduleDetail>(job?.scheduled === true ? pathOf('schedules', name) : null, OPTIONS);
  const { data, problem } = schedule.state.value;
  const reload = (): void => {
    detail.reload();
    schedule.reload();
  };
  return (
    <>
      <Heading title={name} above={<Above of={job} />}>
        {job !== undefined && <JobActions of={job} onDone={reload} />}
      </Heading>
      <Answer of={detail}>
        {(of) => (
          <>
            {problem !== undefined && <ProblemNote problem={problem} />}
            <Parts of={of} schedule={data ?? null} />
          </>
        )}
      </Answer>
    </>
  );
}

function Above({ of }: { readonly of: JobDetail | undefined }): JSX.Element {
  if (of === undefined) return <>Job</>;
  if (!of.scheduled) return <>Background job</>;
  return (
    <>
      Scheduled job · <Link to={pathOf('periods', of.jobName)}>all its periods</Link> ·{' '}
      <Link to={withQuery('/backfills', { job: of.jobName })}>its backfills</Link>
    </>
  );
}

interface PartsProps {
  readonly of: JobDetail;
  /** Null = a background job, or not known yet. */
  readonly schedule: ScheduleDetail | null;
}

/** How it stands, the facts beside it, and below how it goes. */
function Parts({ of, schedule }: PartsProps): JSX.Element {
  return (
    <div class="with-side facts-last">
      <div class="lead">
        <Standings job={of} schedule={schedule} />
        {of.runbook !== null && <Runbook text={of.runbook} />}
      </div>
      <aside aria-label="Facts">
        <JobFacts of={of} schedule={schedule} />
      </aside>
      <div class="rest">
        <StatisticsPart jobName={of.jobName} />
        <LatestExecutions jobName={of.jobName} />
        {schedule !== null && <UpcomingFires of={schedule} />}
        {schedule !== null && <ScheduleHistory of={schedule} />}
      </div>
    </div>
  );
}
