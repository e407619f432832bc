import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ExecutionDetail } from '../../api/answers.js';
import { ofExecution, useResource } from '../../api/resource.js';
import { Link } from '../../router/link.js';
import { pathOf, type RouteParams } from '../../router/route.js';
import { entitle } from '../../shell/entitle.js';
import { Heading } from '../../shell/heading.js';
import { Ago } from '../../time/instant.js';
import { Answer } from '../../ui/answer.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Section } from '../../ui/facts.js';
import { JsonView } from '../../ui/json-view.js';
import { State } from '../../ui/state.js';
import { stateText } from '../../ui/state-text.js';
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
  const title = data === undefined ? null : `${data.key} · ${stateText(data.state)}`;
  useEffect(() => {
    // whoever waits for its end in another tab sees it there
    if (title !== null) entitle(title);
  }, [title]);
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

/** How it stands and why, the facts beside it, and below what happened. */
function Parts({ of, path }: { readonly of: ExecutionDetail; readonly path: string }): JSX.Element {
  return (
    <div class="with-side">
      <div class="lead">
        <div class="standing">
          <State state={of.state} reason={of.reason} />
          <Progress of={of} />
          {of.error === null || of.finishedAt === null ? <Why path={path} of={of} /> : null}
        </div>
        {of.error !== null && <ErrorNote error={of.error} of={of} />}
      </div>
      <aside aria-label="Facts">
        <ExecutionFacts of={of} />
      </aside>
      <div class="rest">
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
    </div>
  );
}
