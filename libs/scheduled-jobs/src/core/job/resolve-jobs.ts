import { RESERVED_JOB_PREFIX } from '../alert/reserved-jobs.js';
import { DuplicateJobError, InvalidOptionsError } from '../errors.js';
import { declaredAliases, declaredName, type DeclaredJob } from './declared-job.js';
import type { JobDefinition } from './job-definition.js';
import { nearest } from './nearest-name.js';
import { resolveJob, type JobDefaults } from './resolve-job.js';

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
  problems.push(...reservedNames(declared), ...unknownOverrides(declared, defaults));
  if (problems.length === 0 && duplicates[0] !== undefined && duplicates.length === 1) throw duplicates[0];
  problems.push(...duplicates.map((duplicate) => duplicate.message));
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return definitions;
}

const label = (job: DeclaredJob): string =>
  `@${job.kind === 'scheduled' ? 'ScheduledJob' : 'BackgroundJob'} ${JSON.stringify(declaredName(job) ?? '')}`;

function reservedNames(declared: readonly DeclaredJob[]): readonly string[] {
  return declared.flatMap((job) =>
    [declaredName(job) ?? '', ...declaredAliases(job)]
      .filter((name) => name.toLowerCase().startsWith(RESERVED_JOB_PREFIX))
      .map(
        (name) =>
          `${job.place} (${label(job)}): names that begin with "${RESERVED_JOB_PREFIX}" are reserved, as in "${name}"`,
      ),
  );
}

/** Names are compared without case: a key that differs only in case would be a trap for people and file names. */
function duplicateNames(declared: readonly DeclaredJob[]): readonly DuplicateJobError[] {
  const found = new Map<string, { readonly name: string; readonly places: string[] }>();
  for (const job of declared) {
    const name = declaredName(job);
    if (name === null) continue;
    for (const used of [name, ...declaredAliases(job)]) {
      const twins = found.get(used.toLowerCase()) ?? { name: used, places: [] };
      twins.places.push(used === name ? `${job.place} ("${name}")` : `${job.place} (as an alias of "${name}")`);
      found.set(used.toLowerCase(), twins);
    }
  }
  return [...found.values()]
    .filter(({ places }) => places.length > 1)
    .map(({ name, places }) => new DuplicateJobError(name, places));
}

function unknownOverrides(declared: readonly DeclaredJob[], { overrides }: JobDefaults): readonly string[] {
  const names = declared.map(declaredName).filter((name) => name !== null);
  return Object.keys(overrides)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const close = nearest(name, names);
      return `jobs.${name}: there is no job of this name${close === null ? '' : `. Did you mean "${close}"?`}`;
    });
}
