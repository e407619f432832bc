import type { JSX } from 'preact';
import type { ExecutionSummary, Page } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { Answer } from '../../ui/answer.js';
import { Section } from '../../ui/facts.js';
import { ExecutionTable } from '../executions/execution-table.js';

const AT_ONCE = 10;

/** The newest executions of a job, and the way to all of them. */
export function LatestExecutions({ jobName }: { readonly jobName: string }): JSX.Element {
  const latest = useResource<Page<ExecutionSummary>>(withQuery('/executions', { job: jobName, limit: AT_ONCE }));
  const all = <Link to={withQuery('/executions', { job: jobName })}>All executions</Link>;
  return (
    <Section title="Latest executions" aside={all}>
      <Answer of={latest}>
        {({ items }) =>
          items.length === 0 ? <p class="muted">There are none yet.</p> : <ExecutionTable rows={items} />
        }
      </Answer>
    </Section>
  );
}
