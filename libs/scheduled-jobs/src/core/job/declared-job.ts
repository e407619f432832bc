/** A decorated method as it was found, before anything about it is checked. */
export interface DeclaredJob {
  readonly kind: 'scheduled' | 'background';
  /** The cron expression; undefined for a background job. */
  readonly cron: unknown;
  readonly options: unknown;
  /** Class and method, such as `ReportJobs.dailyReport`. */
  readonly place: string;
  /** What is already known to be wrong with the method itself. */
  readonly problems?: readonly string[];
}

/** The name that a declaration gives its job; null = none that is a text. */
export function declaredName({ options }: DeclaredJob): string | null {
  const name = (options as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

/** The earlier names that a declaration gives its job, each once, in whatever case, and without its own. */
export function declaredAliases(job: DeclaredJob): readonly string[] {
  const aliases: unknown = (job.options as { readonly aliases?: unknown } | null | undefined)?.aliases;
  if (!Array.isArray(aliases)) return [];
  const names = aliases.filter((alias): alias is string => typeof alias === 'string');
  const inLowerCase = new Map(names.map((alias) => [alias.toLowerCase(), alias]));
  inLowerCase.delete(declaredName(job)?.toLowerCase() ?? '');
  return [...inLowerCase.values()];
}
