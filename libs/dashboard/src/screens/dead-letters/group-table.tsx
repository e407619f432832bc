import type { JSX } from 'preact';
import type { DeadLetterGroup } from '../../api/answers.js';
import { mayOperate } from '../../api/session.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery } from '../../router/route.js';
import { Ago } from '../../time/instant.js';
import { countText } from '../../ui/number-text.js';
import { Table, type Column } from '../../ui/table.js';

const ACTIONS = { replay: 'Replay', acknowledge: 'Acknowledge' } as const;
export type BulkActionName = keyof typeof ACTIONS;
const ACTION_NAMES = Object.keys(ACTIONS) as readonly BulkActionName[];

interface GroupTableProps {
  readonly groups: readonly DeadLetterGroup[];
  readonly onAsk: (action: BulkActionName, filter: { readonly fingerprint: string }) => void;
}

const COLUMNS: readonly Column<DeadLetterGroup>[] = [
  { head: 'Count', align: 'end', cell: ({ count }) => countText(count) },
  { head: 'Error', cell: (group) => <Kind of={group} /> },
  {
    head: 'Message of the newest',
    grows: true,
    cell: ({ message }) => <span title={message ?? undefined}>{message}</span>,
  },
  { head: 'Jobs', isName: true, cell: ({ jobs }) => <span title={jobs.join(', ')}>{jobsText(jobs)}</span> },
  { head: 'First', align: 'end', cell: ({ firstAt }) => <Ago at={firstAt} /> },
  {
    head: 'Newest',
    align: 'end',
    cell: ({ lastAt, exampleKey }) => (
      <Link to={pathOf('executions', exampleKey)} title={exampleKey}>
        <Ago at={lastAt} />
      </Link>
    ),
  },
];

/** Dead letters with the same kind of error together, the largest group first. */
export function GroupTable({ groups, onAsk }: GroupTableProps): JSX.Element {
  const action: Column<DeadLetterGroup> = {
    head: 'Action',
    align: 'end',
    cell: ({ fingerprint, errorClass }) =>
      fingerprint !== null &&
      ACTION_NAMES.map((name) => (
        <button
          key={name}
          type="button"
          class="quiet"
          aria-label={`${ACTIONS[name]} all with ${errorClass ?? fingerprint}`}
          onClick={() => onAsk(name, { fingerprint })}
        >
          {ACTIONS[name]} …
        </button>
      )),
  };
  return (
    <Table
      caption="Dead letters by kind of error"
      columns={mayOperate() ? [...COLUMNS, action] : COLUMNS}
      rows={groups}
      keyOf={({ fingerprint }) => fingerprint ?? 'none'}
    />
  );
}

const JOBS_NAMED = 3;

function jobsText(jobs: readonly string[]): string {
  const more = jobs.length - JOBS_NAMED;
  return `${jobs.slice(0, JOBS_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function Kind({ of: { fingerprint, errorClass, errorCode } }: { readonly of: DeadLetterGroup }): JSX.Element {
  const text = errorClass ?? 'Deadline or lost worker';
  if (fingerprint === null) return <span class="error-name">{text}</span>;
  return (
    <Link to={withQuery('/dead-letters', { fingerprint })} class="error-name">
      {text} {errorCode}
    </Link>
  );
}
