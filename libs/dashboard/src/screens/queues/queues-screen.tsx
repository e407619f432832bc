import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Page, Queue } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { mayOperate } from '../../api/session.js';
import { Heading } from '../../shell/heading.js';
import { Answer } from '../../ui/answer.js';
import type { Column } from '../../ui/table.js';
import { QueueDialog } from './queue-dialog.js';
import { QueueTable } from './queue-table.js';

const LIMITS: readonly Column<Queue>[] = [
  { head: 'At once', align: 'end', cell: ({ concurrency }) => concurrency ?? <NoLimit /> },
  { head: 'Rate', align: 'end', cell: ({ rate }) => rate ?? <NoLimit /> },
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
        {({ items }) => <QueueTable rows={items} more={mayOperate() ? [...LIMITS, action] : LIMITS} />}
      </Answer>
      {asked !== null && <QueueDialog queue={asked} onDone={() => queues.reload()} onClose={() => setAsked(null)} />}
    </>
  );
}

const NoLimit = (): JSX.Element => <span class="muted">no limit</span>;

const verbFor = ({ pause }: Queue): string => (pause === null ? 'Pause' : 'Resume');
