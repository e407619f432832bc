import type { JSX } from 'preact';
import type { Audit, Page } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery } from '../../router/route.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { Instant } from '../../time/instant.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { ChoiceFilter, ClearFilters, TextFilter } from '../../ui/filters.js';
import { Pager } from '../../ui/pager.js';
import { Table, type Column } from '../../ui/table.js';

const FILTERS = ['action', 'job', 'actor', 'subject', 'from', 'to'];

/** As people say it, by the name of the action. */
const ACTIONS: Readonly<Record<Audit['action'], string>> = {
  cancel: 'canceled',
  replay: 'replayed',
  'replay-many': 'replayed many',
  acknowledge: 'acknowledged',
  trigger: 'triggered',
  pause: 'paused the job',
  resume: 'resumed the job',
  'pause-queue': 'paused the queue',
  'resume-queue': 'resumed the queue',
  backfill: 'started a backfill',
  'cancel-backfill': 'canceled a backfill',
};

const COLUMNS: readonly Column<Audit>[] = [
  { head: 'When', cell: ({ at }) => <Instant at={at} /> },
  { head: 'Who', cell: ({ actor, details }) => actor ?? <span class="muted">{noActor(details)}</span> },
  { head: 'Did', cell: ({ action }) => ACTIONS[action] ?? action },
  { head: 'To', cell: (entry) => <Subject of={entry} /> },
  { head: 'Because', grows: true, cell: ({ reason }) => <span title={reason ?? undefined}>{reason}</span> },
];

/** What people did by hand, newest first. */
export function AuditScreen(): JSX.Element {
  const parameters = [...FILTERS, 'cursor'].map((name) => [name, query.value.get(name)]);
  const isFirstPage = !query.value.has('cursor');
  const list = useResource<Page<Audit>>(
    withQuery('/audit', Object.fromEntries(parameters)),
    isFirstPage ? { concerns: ({ topic }) => topic === 'operations' } : { pollMs: 0 },
  );
  return (
    <>
      <Heading title="Audit" />
      <div class="filters">
        <ChoiceFilter name="action" text="Action" choices={{ '': 'any', ...ACTIONS }} />
        <TextFilter name="job" text="Job" />
        <TextFilter name="actor" text="Who" />
        <TextFilter name="subject" text="To" size="long" />
        <ClearFilters names={FILTERS} />
      </div>
      <Answer of={list}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <NoEntries />
            ) : (
              <Table caption="Audit" columns={COLUMNS} rows={items} keyOf={({ auditId }) => auditId} />
            )}
            <Pager nextCursor={nextCursor} />
          </>
        )}
      </Answer>
    </>
  );
}

const NoEntries = (): JSX.Element =>
  FILTERS.some((name) => query.value.has(name)) ? (
    <Nothing title="Nothing of what was done fits this filter.">Take a part of the filter away.</Nothing>
  ) : (
    <Nothing title="Nobody has done anything by hand yet.">
      Pauses, triggers, backfills, cancels, replays and acknowledgements appear here, with who, when and why.
    </Nothing>
  );

/** What a newer execution of its job replaced, nobody canceled. */
const noActor = (details: unknown): string =>
  typeof details === 'object' && details !== null && 'replacedBy' in details
    ? 'overlap: replace'
    : 'nobody in particular';

function Subject({ of }: { readonly of: Audit }): JSX.Element {
  const path = subjectPath(of);
  if (path === null) return <span class="mono">{of.subject}</span>;
  return (
    <Link to={path} class="mono">
      {of.subject}
    </Link>
  );
}

function subjectPath({ action, subject, executionId }: Audit): string | null {
  if (executionId !== null) return pathOf('executions', executionId);
  return action === 'backfill' || action === 'cancel-backfill' ? pathOf('backfills', subject) : null;
}
