import type { JSX } from 'preact';
import type { Statistics } from '../../api/answers.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { countText } from '../../ui/number-text.js';
import { Table, type Column } from '../../ui/table.js';

type Bucket = Statistics['buckets'][number];

interface StatisticsTableProps {
  readonly of: Statistics;
  readonly jobName: string;
}

/** The values of the charts, newest first, without the stretches in which nothing was due. */
export function StatisticsTable({ of: { buckets, bucketMs, versions }, jobName }: StatisticsTableProps): JSX.Element {
  const rows = buckets.filter((bucket) => countOf(bucket) > 0).toReversed();
  const title = `By stretches of ${durationText(bucketMs)}`;
  return (
    <details class="chart-table">
      <summary>{title}, as a table</summary>
      <Table caption={title} columns={columnsOf(jobName)} rows={rows} keyOf={({ from }) => from} />
      {versions.length > 0 && (
        <ul class="chart-versions muted">
          {versions.map(({ at, version }) => (
            <li key={version}>
              Version {version} from <Instant at={at} job={jobName} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

const countOf = ({ succeeded, completedWithErrors, failed, canceled, skipped }: Bucket): number =>
  succeeded + completedWithErrors + failed + canceled + skipped;

const columnsOf = (job: string): readonly Column<Bucket>[] => [
  { head: 'From', cell: ({ from }) => <Instant at={from} job={job} /> },
  { head: 'Succeeded', align: 'end', cell: ({ succeeded }) => countText(succeeded) },
  { head: 'With errors', align: 'end', cell: ({ completedWithErrors }) => countText(completedWithErrors) },
  { head: 'Failed', align: 'end', cell: ({ failed }) => countText(failed) },
  { head: 'Canceled', align: 'end', isMinor: true, cell: ({ canceled }) => countText(canceled) },
  { head: 'Skipped', align: 'end', cell: ({ skipped }) => countText(skipped) },
  { head: 'Duration p50', align: 'end', cell: ({ p50Ms }) => shown(p50Ms) },
  { head: 'Duration p95', align: 'end', cell: ({ p95Ms }) => shown(p95Ms) },
  { head: 'Delay p50', align: 'end', cell: ({ startDelayP50Ms }) => shown(startDelayP50Ms) },
  { head: 'Delay p95', align: 'end', cell: ({ startDelayP95Ms }) => shown(startDelayP95Ms) },
];

const shown = (ms: number | null): string => (ms === null ? '–' : durationText(ms));
