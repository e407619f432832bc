import type { JSX } from 'preact';
import type { Instance, Page } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { Heading } from '../../shell/heading.js';
import { now } from '../../time/clock.js';
import { Ago, Instant } from '../../time/instant.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { Marked } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';

/** One that lives says so about every 30 s. */
const QUIET_AFTER_MS = 90_000;

const isLive = ({ seenAt, stoppedAt }: Instance): boolean =>
  stoppedAt === null && now.value - Date.parse(seenAt) < QUIET_AFTER_MS;

/** The processes of the application that were seen within the last day. */
export function InstancesScreen(): JSX.Element {
  const instances = useResource<Pick<Page<Instance>, 'items'>>('/instances', { concerns: () => false });
  return (
    <>
      <Heading title="Instances" />
      <Answer of={instances}>
        {({ items }) => {
          const digests = new Set(items.filter(isLive).map(({ definitionsDigest }) => definitionsDigest));
          return (
            <>
              {digests.size > 1 && <DifferentDefinitions count={digests.size} />}
              {items.length === 0 ? (
                <Nothing title="No process was seen within the last day.">
                  Start the application, or a worker of it.
                </Nothing>
              ) : (
                <Table caption="Instances" columns={COLUMNS} rows={items} keyOf={({ instanceId }) => instanceId} />
              )}
            </>
          );
        }}
      </Answer>
    </>
  );
}

const COLUMNS: readonly Column<Instance>[] = [
  { head: 'Instance', cell: ({ instanceId }) => <span class="mono">{instanceId}</span> },
  {
    head: 'Standing',
    cell: (instance) => {
      if (isLive(instance)) return <Marked mark="good" text="Alive" />;
      return <Marked mark="unknown" text={instance.stoppedAt === null ? 'Gone or silent' : 'Stopped'} />;
    },
  },
  { head: 'Roles', cell: ({ roles }) => (roles.length === 0 ? 'enqueues and looks' : roles.join(', ')) },
  {
    head: 'Worker',
    grows: true,
    cell: ({ workerId }) =>
      workerId !== null && <Link to={withQuery('/executions', { worker: workerId })}>{workerId}</Link>,
  },
  { head: 'Seen', align: 'end', cell: ({ seenAt }) => <Ago at={seenAt} /> },
  { head: 'Started', cell: ({ startedAt }) => <Instant at={startedAt} /> },
  { head: 'Version', cell: ({ version }) => version },
  { head: 'Zone data', isMinor: true, cell: ({ zoneData }) => zoneData ?? '–' },
  { head: 'Definitions', isMinor: true, cell: ({ definitionsDigest }) => <code>{definitionsDigest.slice(0, 8)}</code> },
];

const DifferentDefinitions = ({ count }: { readonly count: number }): JSX.Element => (
  <div class="note is-warn">
    <p>
      The live instances have {count} different definitions of their jobs. That is so during a deploy; afterwards it
      means that an old process still runs.
    </p>
  </div>
);
