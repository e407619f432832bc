import { DuplicateJobError, InvalidOptionsError } from '../errors.js';
import type { JobDefinition } from './job-definition.js';
import { nearest } from './nearest-name.js';
import { resolveJob, type DeclaredJob, type JobDefaults } from './resolve-job.js';

/**
 * Resolves all jobs of an application and reports all mistakes of all jobs at once.
 * @throws DuplicateJobError when one name is used twice and nothing else is wrong; InvalidOptionsError otherwise.
 */
export function resolveJobs(declared: readonly DeclaredJob[], defaults: JobDefaults): readonly JobDefinition[] {
  const problems: string[] = [];
  const definitions: JobDefinition[] = [];
  for (const job of declared) {
    const resolved = resolveJob(job, defaults);
    problems.push(...resolved.problems.map((problem) => `${job.place} (${label(job)}): ${problem}`));
    if (resolved.definition !== null) definitions.push(resolved.definition);
  }
  const duplicates = duplicateNames(declared);
  problems.push(...unknownOverrides(declared, defaults));
  if (problems.length === 0 && duplicates[0] !== undefined && duplicates.length === 1) throw duplicates[0];
  problems.push(...duplicates.map((duplicate) => duplicate.message));
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return definitions;
}

const nameOf = ({ options }: DeclaredJob): string | null => {
  const name = (options as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
};

const label = (job: DeclaredJob): string =>
  `@${job.kind === 'scheduled' ? 'ScheduledJob' : 'BackgroundJob'} ${JSON.stringify(nameOf(job) ?? '')}`;

/** Names are compared without case: a key that differs only in case would be a trap for people and file names. */
function duplicateNames(declared: readonly DeclaredJob[]): readonly DuplicateJobError[] {
  const places = new Map<string, string[]>();
  for (const job of declared) {
    const name = nameOf(job)?.toLowerCase();
    if (name !== undefined) places.set(name, [...(places.get(name) ?? []), `${job.place} ("${nameOf(job)}")`]);
  }
  return [...places].filter(([, found]) => found.length > 1).map(([name, found]) => new DuplicateJobError(name, found));
}

function unknownOverrides(declared: readonly DeclaredJob[], { overrides }: JobDefaults): readonly string[] {
  const names = declared.map(nameOf).filter((name) => name !== null);
  return Object.keys(overrides)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const close = nearest(name, names);
      return `jobs.${name}: there is no job of this name${close === null ? '' : `. Did you mean "${close}"?`}`;
    });
}
