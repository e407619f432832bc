import type { JSX } from 'preact';
import type { ExecutionDetail, Timeline as Facts } from '../../api/answers.js';
import { ofExecution, useResource } from '../../api/resource.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { Sentence } from '../../time/sentence.js';
import { Section } from '../../ui/facts.js';

interface TimelineProps {
  readonly path: string;
  readonly of: ExecutionDetail;
}

/** What happened to it, in order. */
export function Timeline({ path, of }: TimelineProps): JSX.Element | null {
  const { data } = useResource<Facts>(`${path}/timeline`, ofExecution(of)).state.value;
  if (data === undefined) return null;
  return (
    <Section title="What happened" aside={data.capped ? 'the first 200 of each kind' : undefined}>
      <ol class="timeline">
        {data.items.map(({ at, kind, text }, index) => (
          <li key={`${at} ${kind} ${index}`} class={`is-${kind}`}>
            <Instant at={at} job={of.jobName} />
            <span class="after" title="After the first of these">
              {index > 0 && `+${durationText(Date.parse(at) - Date.parse(data.items[0]?.at ?? at))}`}
            </span>
            <span>
              <Sentence text={text} job={of.jobName} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
