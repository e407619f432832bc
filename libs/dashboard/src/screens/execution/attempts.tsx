import type { JSX } from 'preact';
import type { Attempt, AttemptOutcome, ExecutionDetail } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { Absent } from '../../ui/absent.js';
import { Marked } from '../../ui/state.js';
import type { Mark } from '../../ui/state-text.js';
import { Table, type Column } from '../../ui/table.js';
import { AttemptStrip } from './attempt-strip.js';
import { PagedPart } from './paged-part.js';

const OUTCOMES: Readonly<Record<AttemptOutcome, { readonly mark: Mark; readonly text: string }>> = {
  succeeded: { mark: 'succeeded', text: 'Succeeded' },
  completed_with_errors: { mark: 'completed_with_errors', text: 'Completed with errors' },
  failed: { mark: 'failed', text: 'Failed' },
  timed_out: { mark: 'overdue', text: 'Timed out' },
  lost: { mark: 'missing', text: 'Lost' },
  canceled: { mark: 'canceled', text: 'Canceled' },
  interrupted: { mark: 'paused', text: 'Interrupted' },
  deferred: { mark: 'retrying', text: 'Deferred' },
};

const COLUMNS: readonly Column<Attempt>[] = [
  { head: '#', align: 'end', cell: ({ attempt }) => attempt },
  { head: 'Outcome', cell: ({ outcome }) => <Marked {...OUTCOMES[outcome]} /> },
  { head: 'Error', grows: true, cell: ({ error }) => <span title={errorText(error)}>{errorText(error)}</span> },
  { head: 'Started', cell: ({ startedAt }) => <Instant at={startedAt} /> },
  { head: 'Duration', align: 'end', cell: ({ durationMs }) => durationText(durationMs) },
  { head: 'Worker', isMinor: true, cell: ({ workerId }) => <WorkerLink workerId={workerId} /> },
];

/** Every call of the handler: a strip over time, and one line each. */
export const Attempts = ({ path, of }: { readonly path: string; readonly of: ExecutionDetail }): JSX.Element => (
  <PagedPart<Attempt> of={of} title="Attempts" path={`${path}/attempts`}>
    {(items) => (
      <>
        <AttemptStrip attempts={items} of={of} />
        <Table caption="Attempts" columns={COLUMNS} rows={items} keyOf={({ leaseToken }) => leaseToken} />
      </>
    )}
  </PagedPart>
);

const errorText = (error: Attempt['error']): string =>
  error === null ? '' : `${error.errorClass ?? 'Error'}: ${error.message ?? ''}`;

function WorkerLink({ workerId }: { readonly workerId: string | null }): JSX.Element {
  if (workerId === null) return <Absent />;
  return <Link to={withQuery('/executions', { worker: workerId })}>{workerId}</Link>;
}
