import type { JSX } from 'preact';
import type { Queue } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { durationText } from '../../time/duration-text.js';
import { Ago } from '../../time/instant.js';
import { Nothing } from '../../ui/answer.js';
import { Absent } from '../../ui/absent.js';
import { countText } from '../../ui/number-text.js';
import { Marked } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';

const COUNTED_UP_TO = 10_000;

const COLUMNS: readonly Column<Queue>[] = [
  {
    head: 'Queue',
    isName: true,
    cell: ({ name }) => <Link to={withQuery('/executions', { queue: name })}>{name}</Link>,
  },
  { head: 'Standing', grows: true, cell: (queue) => <Standing of={queue} /> },
  { head: 'Ready', align: 'end', cell: ({ ready }) => counted(ready) },
  {
    head: 'Oldest',
    align: 'end',
    cell: ({ oldestReadyMs }) => (oldestReadyMs === null ? <Absent /> : durationText(oldestReadyMs)),
  },
  { head: 'Running', align: 'end', cell: ({ running }) => counted(running) },
];

/** Queues and what waits in them, with more columns behind if wanted. */
export function QueueTable({
  rows,
  more = [],
}: {
  readonly rows: readonly Queue[];
  readonly more?: readonly Column<Queue>[];
}): JSX.Element {
  if (rows.length === 0) {
    return <Nothing title="No job uses a queue.">Queues exist by being used: register a job first.</Nothing>;
  }
  return <Table caption="Queues" columns={[...COLUMNS, ...more]} rows={rows} keyOf={({ name }) => name} />;
}

/** A count of the API, which goes no further than its limit. */
const counted = (count: number): string => (count >= COUNTED_UP_TO ? `${countText(COUNTED_UP_TO)}+` : countText(count));

/** Whether a queue is open for work, and why not. */
function Standing({ of: { pause, breaker } }: { readonly of: Queue }): JSX.Element {
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
