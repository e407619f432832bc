import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ExecutionDetail, Explanation } from '../../api/answers.js';
import { ofExecution, useResource } from '../../api/resource.js';
import { Sentence } from '../../time/sentence.js';

/** The one sentence that says why it waits, what it does or how it ended. */
export function Why({ path, of }: { readonly path: string; readonly of: ExecutionDetail }): JSX.Element | null {
  const why = useResource<Explanation>(`${path}/why`, ofExecution(of));
  useEffect(() => why.reload(), [of.state]);
  const { data } = why.state.value;
  return data === undefined ? null : (
    <p class="why">
      <Sentence text={data.text} job={of.jobName} />
    </p>
  );
}
