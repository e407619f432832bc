import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ExecutionState } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';

interface Explanation {
  readonly text: string;
}

/** The one sentence that says why it waits, what it does or how it ended. */
export function Why({ path, state }: { readonly path: string; readonly state: ExecutionState }): JSX.Element | null {
  const why = useResource<Explanation>(`${path}/why`);
  useEffect(() => why.reload(), [state]);
  const { data } = why.state.value;
  return data === undefined ? null : <p class="why">{data.text}</p>;
}
