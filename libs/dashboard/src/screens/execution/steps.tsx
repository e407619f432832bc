import type { JSX } from 'preact';
import type { ExecutionDetail, Step } from '../../api/answers.js';
import { durationText } from '../../time/duration-text.js';
import { Table, type Column } from '../../ui/table.js';
import { Instant } from '../../time/instant.js';
import { PagedPart } from './paged-part.js';

const COLUMNS: readonly Column<Step>[] = [
  { head: 'Step', cell: ({ stepName }) => stepName },
  { head: 'Result', grows: true, cell: ({ result }) => <code title={textOf(result)}>{textOf(result)}</code> },
  { head: 'Ended', cell: ({ finishedAt }) => <Instant at={finishedAt} /> },
  { head: 'Duration', align: 'end', cell: ({ durationMs }) => durationText(durationMs) },
];

/** What is done once and remembered over attempts. */
export const Steps = ({ path, of }: { readonly path: string; readonly of: ExecutionDetail }): JSX.Element => (
  <PagedPart<Step> of={of} title="Steps" path={`${path}/steps`}>
    {(items) => <Table caption="Steps" columns={COLUMNS} rows={items} keyOf={({ stepName }) => stepName} />}
  </PagedPart>
);

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';
