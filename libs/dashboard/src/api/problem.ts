/** An answer that is not what was asked for, or none at all. `code` is stable; `message` is for people. */
export class ApiProblem extends Error {
  constructor(
    /** 0 = there was no answer. */
    readonly status: number,
    readonly code: string,
    detail: string,
    /** One text per mistake. */
    readonly problems: readonly string[] = [],
  ) {
    super(detail);
    this.name = 'ApiProblem';
  }
}

/** What to do about a problem; null = its own text says it. */
export function adviceFor({ status, code }: ApiProblem): string | null {
  if (code === 'UNREACHABLE') return 'It is tried again by itself. If this lasts, look whether the application runs.';
  if (status === 401)
    return 'Your session has probably ended. Sign in to the application again, then reload this page.';
  if (status === 403) return 'Ask whoever runs the application for access.';
  if (status === 404) return 'Its name may be misspelt; old executions are removed by retention.';
  if (status === 503) return 'The database cannot be reached. It is tried again by itself.';
  if (status >= 500) return 'The log of the application says why.';
  return null;
}
