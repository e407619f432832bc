import type { JSX } from 'preact';
import type { Overview, Page, Queue, Schedule } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { Heading } from '../../shell/heading.js';
import { Answer } from '../../ui/answer.js';
import { Section } from '../../ui/facts.js';
import { QueueTable } from '../queues/queue-table.js';
import { AttentionList } from './attention-list.js';
import { Figures } from './figures.js';
import { NextFires } from './next-fires.js';

type ListOf<T> = Pick<Page<T>, 'items'>;

const REST_MS = 3_000;

/** What somebody on call sees first: what to do, how much there is of it, and what comes next. */
export function OverviewScreen(): JSX.Element {
  const overview = useResource<Overview>('/overview', { restMs: REST_MS });
  const queues = useResource<ListOf<Queue>>('/queues', { restMs: REST_MS });
  const schedules = useResource<ListOf<Schedule>>('/schedules', { restMs: REST_MS });
  return (
    <>
      <Heading title="Overview" />
      <Answer of={overview}>{(of) => <Standings of={of} />}</Answer>
      <div class="halves">
        <Section title="Queues" aside={<Link to="/queues">All of them</Link>}>
          <Answer of={queues}>{({ items }) => <Queues of={items} />}</Answer>
        </Section>
        <Section title="Next fires" aside={<Link to="/periods">Periods</Link>}>
          <Answer of={schedules}>{({ items }) => <NextFires of={items} />}</Answer>
        </Section>
      </div>
    </>
  );
}

const Standings = ({ of }: { readonly of: Overview }): JSX.Element => (
  <>
    <Figures of={of} />
    <p class="muted window">
      <Link to="/instances">{instancesText(of)}</Link> {schedulesText(of)}
    </p>
    <AttentionList of={of.attention} />
  </>
);

const instancesText = ({ instances: { total, workers, schedulers } }: Overview): string =>
  `${total} ${total === 1 ? 'instance' : 'instances'} alive: ${workers} claim, ${schedulers} tick.`;

function schedulesText({ schedules: { total, ...apart } }: Overview): string {
  const parts = Object.entries(apart).flatMap(([standing, count]) => (count > 0 ? [`${count} ${standing}`] : []));
  return `${total} ${total === 1 ? 'schedule' : 'schedules'}${parts.length === 0 ? '' : `, of these ${parts.join(', ')}`}.`;
}

/** Those with most to do, at most. */
const QUEUES_SHOWN = 10;

function Queues({ of }: { readonly of: readonly Queue[] }): JSX.Element {
  const rows = of.toSorted((a, b) => (b.oldestReadyMs ?? -1) - (a.oldestReadyMs ?? -1)).slice(0, QUEUES_SHOWN);
  return <QueueTable rows={rows} />;
}
