import type { JSX } from 'preact';
import type { ScheduleDetail } from '../../api/answers.js';
import { Instant } from '../../time/instant.js';
import { Section } from '../../ui/facts.js';
import { Marked } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';

type Version = ScheduleDetail['versions'][number];
type SuspensionRow = ScheduleDetail['suspensions'][number];
type SkippedRange = ScheduleDetail['skippedRanges'][number];

/** How many the API gives of each at most. */
const SHOWN = 50;

/** The versions of a schedule, when it stood still, and which periods were left out. */
export function ScheduleHistory({ of }: { readonly of: ScheduleDetail }): JSX.Element {
  const { jobName, versions, suspensions, skippedRanges } = of;
  return (
    <>
      <Part
        title="Versions of the schedule"
        rows={versions}
        columns={versionColumns(jobName)}
        keyOf={({ version }) => String(version)}
      />
      <Part
        title="Suspensions"
        rows={suspensions}
        columns={suspensionColumns(jobName)}
        keyOf={({ kind, from }) => `${kind} ${from}`}
      />
      <Part
        title="Skipped ranges"
        rows={skippedRanges}
        columns={skippedColumns(jobName)}
        keyOf={({ from, createdAt }) => `${from} ${createdAt}`}
      />
    </>
  );
}

interface PartProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}

function Part<Row>({ title, rows, columns, keyOf }: PartProps<Row>): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <Section title={title} aside={rows.length < SHOWN ? rows.length : `the newest ${SHOWN}`}>
      <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} />
    </Section>
  );
}

const versionColumns = (job: string): readonly Column<Version>[] => [
  { head: 'Version', align: 'end', cell: ({ version }) => version },
  { head: 'In force from', cell: ({ validFrom }) => <Instant at={validFrom} job={job} /> },
  { head: 'Expression', cell: ({ expression }) => <code>{expression}</code> },
  { head: 'Zone', cell: ({ timeZone }) => timeZone },
  { head: 'Options', grows: true, cell: ({ shape }) => <span title={shapeText(shape)}>{shapeText(shape)}</span> },
];

const suspensionColumns = (job: string): readonly Column<SuspensionRow>[] => [
  {
    head: 'Kind',
    cell: ({ kind }) => <Marked mark={kind === 'paused' ? 'paused' : 'attention'} text={SUSPENSIONS[kind]} />,
  },
  { head: 'From', cell: ({ from }) => <Instant at={from} job={job} /> },
  { head: 'To', cell: ({ to }) => (to === null ? 'goes on' : <Instant at={to} job={job} />) },
  { head: 'Why', grows: true, cell: (row) => <span title={whyText(row)}>{whyText(row)}</span> },
  { head: 'Its periods', cell: ({ to, catchUp }) => to !== null && (catchUp ? 'caught up' : 'left out') },
];

const SUSPENSIONS = { paused: 'Paused', orphaned: 'Orphaned' } as const;

const skippedColumns = (job: string): readonly Column<SkippedRange>[] => [
  { head: 'Periods', align: 'end', cell: ({ count }) => count },
  { head: 'First', cell: ({ from }) => <Instant at={from} job={job} /> },
  { head: 'Last', cell: ({ to }) => <Instant at={to} job={job} /> },
  { head: 'Reason', grows: true, cell: ({ reason, actor }) => (actor === null ? reason : `${reason}, by ${actor}`) },
  { head: 'Recorded', cell: ({ createdAt }) => <Instant at={createdAt} job={job} /> },
];

const shapeText = (shape: object): string =>
  Object.entries(shape)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(' · ');

const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? shapeText(value).replaceAll(' · ', ', ') : String(value);

/** Who began it and why, and who ended it and why. */
const whyText = ({ actor, reason, endedBy, endReason }: SuspensionRow): string =>
  [saidText(actor, reason), saidText(endedBy, endReason)].filter((text) => text !== '').join(' → ');

const saidText = (who: string | null, why: string | null): string =>
  [who, why].filter((each) => each !== null).join(': ');
