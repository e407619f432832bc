import type { ComponentChildren, JSX } from 'preact';
import { isOutage, outage } from '../api/outage.js';
import { adviceFor, type ApiProblem } from '../api/problem.js';
import type { Resource } from '../api/resource.js';

/** What went wrong, its code, and what to do about it. */
export function ProblemNote({
  problem,
  children,
}: {
  readonly problem: ApiProblem;
  /** More to know about it. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const advice = adviceFor(problem);
  return (
    <div class="note is-bad" role="alert">
      <p>{problem.message}</p>
      {problem.problems.length > 1 && (
        <ul>
          {problem.problems.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <p class="muted">
        {children} {advice} <code>{problem.code}</code>
      </p>
    </div>
  );
}

/** There is nothing, and why that may be, or what to do. */
export function Nothing({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="nothing">
      <p class="nothing-title">{title}</p>
      {children !== undefined && <p class="muted">{children}</p>}
    </div>
  );
}

export const Loading = (): JSX.Element => (
  <div class="loading" role="status">
    <span class="visually-hidden">Loading</span>
  </div>
);

interface AnswerProps<T> {
  readonly of: Resource<T>;
  readonly children: (data: T) => ComponentChildren;
}

/**
 * What a resource gives, or that it is being read, or what went wrong; old data stay below the problem. When nothing can be
 * read at all, `OutageBanner` says so once for all.
 */
export function Answer<T>({ of, children }: AnswerProps<T>): JSX.Element {
  const { data, problem, isStale } = of.state.value;
  const isSaidOnce = problem !== undefined && isOutage(problem) && outage.value !== null;
  return (
    <>
      {problem !== undefined && !isSaidOnce && <ProblemNote problem={problem} />}
      {data === undefined && isSaidOnce && <p class="muted">Not known.</p>}
      {data === undefined && problem === undefined && <Loading />}
      {data !== undefined && !(problem !== undefined && isStale) && (
        <div class={isStale ? 'answer is-stale' : 'answer'} aria-busy={isStale}>
          {children(data)}
        </div>
      )}
    </>
  );
}
