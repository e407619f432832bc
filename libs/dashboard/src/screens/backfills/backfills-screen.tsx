import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Backfill, Page } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { mayOperate } from '../../api/session.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery } from '../../router/route.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { Ago, Instant } from '../../time/instant.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { ChoiceFilter, ClearFilters, TextFilter } from '../../ui/filters.js';
import { Pager } from '../../ui/pager.js';
import { Table, type Column } from '../../ui/table.js';
import { BackfillProgress, BackfillState } from './backfill-progress.js';
import { CancelBackfillDialog } from './cancel-backfill-dialog.js';

const FILTERS = ['job', 'state'];
const STATES = { '': 'any', open: 'open', done: 'done', canceled: 'canceled' } as const;

const COLUMNS: readonly Column<Backfill>[] = [
  {
    head: 'Backfill',
    cell: ({ backfillId, jobName }) => (
      <Link to={pathOf('backfills', backfillId)}>
        {backfillId} · {jobName}
      </Link>
    ),
  },
  { head: 'Standing', cell: (backfill) => <BackfillState of={backfill} /> },
  { head: 'Executions', cell: (backfill) => <BackfillProgress of={backfill} /> },
  { head: 'From', cell: ({ from, jobName }) => <Instant at={from} job={jobName} /> },
  { head: 'To', cell: ({ to, jobName }) => <Instant at={to} job={jobName} /> },
  { head: 'Order', isMinor: true, cell: ({ order }) => order.replace('-', ' ') },
  { head: 'Who', cell: ({ actor }) => actor ?? <span class="muted">nobody in particular</span> },
  { head: 'Because', grows: true, cell: ({ reason }) => <span title={reason ?? undefined}>{reason}</span> },
  { head: 'Asked', align: 'end', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

/** Periods of the past that somebody asked to be executed, and how far that has come, newest first. */
export function BackfillsScreen(): JSX.Element {
  const [asked, setAsked] = useState<Backfill | null>(null);
  const [job, state, cursor] = [...FILTERS, 'cursor'].map((name) => query.value.get(name));
  const list = useResource<Page<Backfill>>(
    withQuery('/backfills', { job, state, cursor }),
    query.value.has('cursor') ? { pollMs: 0 } : {},
  );
  return (
    <>
      <Heading title="Backfills" />
      <div class="filters">
        <TextFilter name="job" text="Job" />
        <ChoiceFilter name="state" text="Standing" choices={STATES} />
        <ClearFilters names={FILTERS} />
      </div>
      <Answer of={list}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <NoBackfill hasMore={nextCursor !== null} />
            ) : (
              <Rows of={items} onCancel={setAsked} />
            )}
            <Pager nextCursor={nextCursor} />
          </>
        )}
      </Answer>
      {asked !== null && (
        <CancelBackfillDialog of={asked} onDone={() => list.reload()} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface RowsProps {
  readonly of: readonly Backfill[];
  readonly onCancel: (backfill: Backfill) => void;
}

function Rows({ of, onCancel }: RowsProps): JSX.Element {
  const action: Column<Backfill> = {
    head: 'Action',
    align: 'end',
    cell: (backfill) =>
      backfill.state === 'open' && (
        <button
          type="button"
          class="quiet"
          aria-label={`Cancel backfill ${backfill.backfillId}`}
          onClick={() => onCancel(backfill)}
        >
          Cancel …
        </button>
      ),
  };
  const columns = mayOperate() ? [...COLUMNS, action] : COLUMNS;
  return <Table caption="Backfills" columns={columns} rows={of} keyOf={({ backfillId }) => backfillId} />;
}

function NoBackfill({ hasMore }: { readonly hasMore: boolean }): JSX.Element {
  if (hasMore) return <Nothing title="None of these fits this filter.">Look at older ones.</Nothing>;
  return FILTERS.some((name) => query.value.has(name)) ? (
    <Nothing title="No backfill fits this filter.">Take a part of the filter away.</Nothing>
  ) : (
    <Nothing title="Nobody has asked for a backfill yet.">
      The page of a scheduled job has a button for it, and so has each hole among its periods.
    </Nothing>
  );
}
