import type { JSX } from 'preact';
import type { ExecutionList, Page, Schedule } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { withQuery, type QueryValue } from '../../router/route.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { Instant } from '../../time/instant.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { Pager } from '../../ui/pager.js';
import { ExecutionTable } from './execution-table.js';
import { ChoiceFilter, ClearFilters, TextFilter } from '../../ui/filters.js';
import { StateFilter } from './state-filter.js';
import { TimeFilter } from './time-filter.js';

/** The parameters of the address that filter, as the API calls them. */
const FILTERS = 'state job queue worker trigger period fingerprint from to minDuration maxDuration minAttempts'.split(
  ' ',
);

const TRIGGERS = { '': 'any', schedule: 'schedule', trigger: 'trigger', backfill: 'backfill', enqueue: 'enqueue' };

/** All executions, newest first, filtered by the address. */
export function ExecutionsScreen(): JSX.Element {
  const isFirstPage = !query.value.has('cursor');
  const list = useResource<ExecutionList>(listPath(), isFirstPage ? {} : { pollMs: 0 });
  return (
    <>
      <Heading title="Executions" />
      <Filters />
      <Answer of={list}>
        {({ items, nextCursor, window }) => (
          <>
            {typeof window?.from === 'string' && !query.value.has('from') && (
              <Window from={window.from} to={window.to} />
            )}
            {items.length > 0 && <ExecutionTable rows={items} />}
            {items.length === 0 && (nextCursor === null ? <NoExecutions /> : <NoneSoFar />)}
            <Pager nextCursor={nextCursor} />
          </>
        )}
      </Answer>
    </>
  );
}

function listPath(): string {
  const filter: Record<string, QueryValue> = {};
  for (const name of [...FILTERS, 'cursor']) filter[name] = query.value.getAll(name);
  return withQuery('/executions', filter);
}

function Filters(): JSX.Element {
  const schedules = useResource<Pick<Page<Schedule>, 'items'>>('/schedules', { pollMs: 0 }).state.value.data;
  return (
    <>
      <StateFilter />
      <div class="filters">
        <TextFilter name="job" text="Job" suggestions={(schedules?.items ?? []).map(({ jobName }) => jobName)} />
        <TextFilter name="period" text="Period" />
        <TextFilter name="queue" text="Queue" size="short" />
        <ChoiceFilter name="trigger" text="Trigger" choices={TRIGGERS} />
        <TextFilter name="minDuration" text="Longer than" placeholder="e.g. 30s" size="short" />
        <TextFilter name="minAttempts" text="Attempts ≥" placeholder="e.g. 3" size="short" />
        {query.value.has('worker') && <TextFilter name="worker" text="Worker" />}
        {query.value.has('fingerprint') && <TextFilter name="fingerprint" text="Kind of error" />}
        <TimeFilter />
        <ClearFilters names={FILTERS} />
      </div>
    </>
  );
}

const Window = ({ from, to }: { readonly from: string; readonly to: string | null }): JSX.Element => (
  <p class="muted window">
    Scheduled from <Instant at={from} />{' '}
    {to === null ? (
      'on'
    ) : (
      <>
        to <Instant at={to} />
      </>
    )}
    . Such a filter needs a stretch of time; give another one above.
  </p>
);

/** A page looks at a bounded number: what fits may be further back. */
const NoneSoFar = (): JSX.Element => (
  <Nothing title="Nothing here fits this filter.">There may be more: go on with Older.</Nothing>
);

const NoExecutions = (): JSX.Element =>
  FILTERS.some((name) => query.value.has(name)) ? (
    <Nothing title="No execution fits this filter.">
      Take a part of the filter away, or look at another stretch of time.
    </Nothing>
  ) : (
    <Nothing title="There are no executions yet.">
      They appear when a schedule fires while a scheduler ticks, or when the application enqueues one.
    </Nothing>
  );
