import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Page, Queue } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { mayOperate } from '../../api/session.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { Heading } from '../../shell/heading.js';
import { durationText } from '../../time/duration-text.js';
import { Ago } from '../../time/instant.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { Marked } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';
import { QueueDialog } from './queue-dialog.js';

const COUNTED_UP_TO = 10_000;

const COLUMNS: readonly Column<Queue>[] = [
  { head: 'Queue', cell: ({ name }) => <Link to={withQuery('/executions', { queue: name })}>{name}</Link> },
  { head: 'Standing', grows: true, cell: (queue) => <Standing of={queue} /> },
  { head: 'Ready', align: 'end', cell: ({ ready }) => counted(ready) },
  { head: 'Oldest', align: 'end', cell: ({ oldestReadyMs }) => oldestReadyMs !== null && durationText(oldestReadyMs) },
  { head: 'Running', align: 'end', cell: ({ running }) => counted(running) },
  { head: 'At once', align: 'end', cell: ({ concurrency }) => concurrency ?? 'no limit' },
  { head: 'Rate', align: 'end', cell: ({ rate }) => rate ?? 'no limit' },
];

/** The queues: what waits in them, how they are limited, and whether they rest. */
export function QueuesScreen(): JSX.Element {
  const queues = useResource<Pick<Page<Queue>, 'items'>>('/queues');
  const [asked, setAsked] = useState<Queue | null>(null);
  const action: Column<Queue> = {
    head: 'Action',
    align: 'end',
    cell: (queue) => (
      <button
        type="button"
        class="quiet"
        onClick={() => setAsked(queue)}
        aria-label={`${verbFor(queue)} ${queue.name}`}
      >
        {verbFor(queue)}
      </button>
    ),
  };
  return (
    <>
      <Heading title="Queues" />
      <Answer of={queues}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing title="No job uses a queue.">Queues exist by being used: register a job first.</Nothing>
          ) : (
            <Table
              caption="Queues"
              columns={mayOperate() ? [...COLUMNS, action] : COLUMNS}
              rows={items}
              keyOf={({ name }) => name}
            />
          )
        }
      </Answer>
      {asked !== null && <QueueDialog queue={asked} onDone={() => queues.reload()} onClose={() => setAsked(null)} />}
    </>
  );
}

const verbFor = ({ pause }: Queue): string => (pause === null ? 'Pause' : 'Resume');

/** A count of the API, which goes no further than its limit. */
export const counted = (count: number): string => (count >= COUNTED_UP_TO ? `${COUNTED_UP_TO}+` : String(count));

/** Whether a queue is open for work, and why not. */
export function Standing({ of: { pause, breaker } }: { readonly of: Queue }): JSX.Element {
  if (pause !== null) {
    return (
      <>
        <Marked mark="paused" text="Paused" />{' '}
        <span class="muted">
          <Ago at={pause.since} /> by {pause.actor ?? 'somebody'}
          {pause.reason !== null && `: ${pause.reason}`}
        </span>
      </>
    );
  }
  if (breaker === null || breaker.state === 'closed') return <Marked mark="good" text="Open for work" />;
  return (
    <>
      <Marked mark="failed" text={breaker.state === 'open' ? 'Breaker open' : 'Breaker tries again'} />{' '}
      {breaker.openUntil !== null && (
        <span class="muted">
          nothing starts before it tries, <Ago at={breaker.openUntil} />
        </span>
      )}
    </>
  );
}
