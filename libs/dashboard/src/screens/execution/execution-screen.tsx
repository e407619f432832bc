import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ExecutionDetail } from '../../api/answers.js';
import { ofExecution, useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { pathOf, type RouteParams } from '../../router/route.js';
import { Heading } from '../../shell/heading.js';
import { Ago } from '../../time/instant.js';
import { Answer } from '../../ui/answer.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Section } from '../../ui/facts.js';
import { JsonView } from '../../ui/json-view.js';
import { State } from '../../ui/state.js';
import { Attempts } from './attempts.js';
import { ErrorNote } from './error-note.js';
import { ExecutionActions } from './execution-actions.js';
import { ExecutionFacts } from './execution-facts.js';
import { FailedItems } from './failed-items.js';
import { Logs } from './logs.js';
import { Progress } from './progress.js';
import { Steps } from './steps.js';
import { Timeline } from './timeline.js';
import { Why } from './why.js';

/** Everything about one execution, asked for by its key or id. */
export function ExecutionScreen({ params }: { readonly params: RouteParams }): JSX.Element {
  const { key = '' } = params;
  const path = pathOf('executions', key);
  const known = useRef<ExecutionDetail | undefined>();
  const detail = useResource<ExecutionDetail>(
    path,
    known.current === undefined ? {} : ofExecution(known.current, { isSteady: true }),
  );
  const { data } = detail.state.value;
  known.current = data;
  return (
    <>
      <Heading title={data?.key ?? key} above={<Above of={data} />}>
        {data !== undefined && <ExecutionActions of={data} onDone={() => detail.reload()} />}
      </Heading>
      <Answer of={detail}>
        {(execution) => <Parts of={execution} path={pathOf('executions', execution.executionId)} />}
      </Answer>
    </>
  );
}

function Above({ of }: { readonly of: ExecutionDetail | undefined }): JSX.Element {
  if (of === undefined) return <>Execution</>;
  return (
    <>
      <Link to={pathOf('jobs', of.jobName)}>{of.jobName}</Link> · execution {of.executionId}, made{' '}
      <Ago at={of.createdAt} job={of.jobName} /> <CopyButton text={of.key} what="the key" />
    </>
  );
}

/** What happened on the left, the facts beside it. */
function Parts({ of, path }: { readonly of: ExecutionDetail; readonly path: string }): JSX.Element {
  return (
    <div class="with-side">
      <div>
        <div class="standing">
          <State state={of.state} reason={of.reason} />
          <Progress of={of} />
          {of.error === null || of.finishedAt === null ? <Why path={path} of={of} /> : null}
        </div>
        {of.error !== null && <ErrorNote error={of.error} of={of} />}
        <Attempts path={path} of={of} />
        <Timeline path={path} of={of} />
        <Steps path={path} of={of} />
        <FailedItems path={path} of={of} />
        <Logs path={path} of={of} />
        {of.payload !== null && (
          <Section title="Payload">
            <JsonView value={of.payload} what="the payload" />
          </Section>
        )}
        {of.result !== null && (
          <Section title="Result" aside={of.resultNote}>
            <JsonView value={of.result} what="the result" />
          </Section>
        )}
      </div>
      <aside aria-label="Facts">
        <ExecutionFacts of={of} />
      </aside>
    </div>
  );
}
