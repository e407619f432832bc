import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { resolveObservability } from '../../libs/scheduled-jobs/src/observability/observability-options.js';
import { PROBES } from '../../libs/scheduled-jobs/src/observability/probe-answers.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The YAML files of what is operated, from the repository's root. */
export const YAML_FILES = [
  'docker-compose.yml',
  ...['ops/kubernetes', 'ops/prometheus'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  ),
];

/** The documents of a file as plain objects; throws for anything that YAML finds doubtful. */
export function documents<T = Record<string, unknown>>(path: string): T[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    const complaints = [...document.errors, ...document.warnings];
    if (complaints.length > 0) throw new SyntaxError(`${path}: ${complaints.map(String).join('\n')}`);
    return document.toJS() as T;
  });
}

/** What an application reads from its environment, by its own source. */
export function variablesOf(app: string): { readonly all: readonly string[]; readonly required: readonly string[] } {
  const source = read(`apps/${app}/src/config.ts`);
  const members = [...source.matchAll(/^ {2}readonly ([A-Z_]+)(\??): [^=;]+(=|;)/gm)];
  return {
    all: members.map(([, name = '']) => name),
    required: members.filter(([, , optional, end]) => optional === '' && end === ';').map(([, name = '']) => name),
  };
}

/** Which application a container's command starts; null = none: it is a command of the package, or something else. */
export function appOf(command: readonly string[] | undefined): string | null {
  return /^dist\/apps\/(\w+)\/main\.js$/.exec(command?.[1] ?? '')?.[1] ?? null;
}

/** The file from which the program of a command is built. */
export const sourceOf = (command: readonly string[]): string =>
  (command[1] ?? '')
    .replace(/^dist\/apps\/(\w+)\/main\.js$/, 'apps/$1/src/main.ts')
    .replace(/^node_modules\/nestjs-scheduled-jobs\//, 'libs/scheduled-jobs/');

const { routes } = resolveObservability({ routes: true });

/** Paths that answer probes: liveness, start, readiness. */
export const PROBE_PATHS = PROBES.map((probe) => `/${routes!.probes}/${probe}`);
