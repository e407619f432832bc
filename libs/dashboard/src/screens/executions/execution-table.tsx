import type { JSX } from 'preact';
import type { ExecutionSummary } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf } from '../../router/route.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { Absent } from '../../ui/absent.js';
import { State } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';

const COLUMNS: readonly Column<ExecutionSummary>[] = [
  { head: 'State', cell: (each) => <State state={each.state} reason={each.reason} /> },
  {
    head: 'Execution',
    grows: true,
    cell: (each) => (
      <Link to={pathOf('executions', each.executionId)} class="mono" title={each.key}>
        {each.key}
      </Link>
    ),
  },
  { head: 'Error', cell: (each) => <ErrorName of={each} />, isMinor: true },
  { head: 'Scheduled for', cell: (each) => <Instant at={each.scheduledFor} job={each.jobName} /> },
  { head: 'Delay', align: 'end', cell: (each) => <Duration ms={each.startDelayMs} /> },
  { head: 'Duration', align: 'end', cell: (each) => <Duration ms={each.durationMs} /> },
  { head: 'Attempts', align: 'end', cell: (each) => (each.attempts === 0 ? <Absent /> : each.attempts) },
  { head: 'Trigger', cell: (each) => each.trigger, isMinor: true },
];

/** Executions below each other, each leading to its own screen. */
export function ExecutionTable({ rows }: { readonly rows: readonly ExecutionSummary[] }): JSX.Element {
  return <Table caption="Executions" columns={COLUMNS} rows={rows} keyOf={({ executionId }) => executionId} />;
}

const Duration = ({ ms }: { readonly ms: number | null }): JSX.Element =>
  ms === null ? <Absent /> : <span>{durationText(ms)}</span>;

/** The class of an error and its code, as far as they are recorded. */
function ErrorName({ of: { errorClass, errorCode } }: { readonly of: ExecutionSummary }): JSX.Element | null {
  if (errorClass === null) return null;
  return <span class="error-name">{errorCode === null ? errorClass : `${errorClass} ${errorCode}`}</span>;
}
