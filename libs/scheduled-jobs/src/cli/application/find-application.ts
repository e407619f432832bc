import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import type { CommandContext } from '../command.js';
import type { Argument } from '../arguments/command-input.js';
import { failureText } from '../output/failure-text.js';
import { UsageError } from '../arguments/usage-error.js';

/** The environment variable that names the application. */
const APP_VARIABLE = 'NESTJS_SCHEDULED_JOBS_APP';
/** The member of package.json that does. */
const MEMBER = 'nestjs-scheduled-jobs';
const EXAMPLE = 'such as dist/app.module.js';

type Where = Pick<CommandContext, 'folder' | 'environment'>;

/** How people may name the application, for messages; `given`: where the command itself takes it. */
export const nameTheApplication = (given: 'as an argument' | 'with --app'): string =>
  `Name the file of the module, ${EXAMPLE}: ${given}, in the environment variable ${APP_VARIABLE}, or in package.json as "${MEMBER}": { "app": "dist/app.module.js" }.`;

/** The application, for commands that take nothing else. */
export const MODULE_ARGUMENT: Argument = {
  placeholder: '<file>[#ExportName]',
  noun: 'module',
  help: 'the built file of the root module, such as dist/app.module.js; it may name the export',
  count: 'optional',
};

/** The application that a command cannot do without. @throws UsageError when nobody names one. */
export function namedApplication(given: string | undefined, context: Where): string {
  const found = findApplication(given, context);
  if (found === null) throw new UsageError(nameTheApplication('as an argument'));
  return found;
}

/**
 * The file of the application that a command works with: the one that it was given, else that of the environment, else that
 * of the package.json of the folder; null = nobody names one.
 * @throws UsageError when package.json names it in a way that cannot be read.
 */
export function findApplication(given: string | undefined, { folder, environment }: Where): string | null {
  const named = given ?? environment[APP_VARIABLE];
  return named === undefined || named === '' ? applicationOfPackage(folder) : named;
}

function applicationOfPackage(folder: string): string | null {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return null;
  const problems: string[] = [];
  const reader = new OptionReader(memberOf(path), `"${MEMBER}"`, problems);
  reader.allowOnly(['app']);
  const app = reader.raw('app');
  if (app !== undefined && (typeof app !== 'string' || app === '')) {
    reader.refuse('app', `must be the file of the module, ${EXAMPLE}, got ${shown(app)}`);
  }
  if (problems.length > 0) throw new UsageError(`${path}: ${problems.join('; ')}.`);
  return typeof app === 'string' ? app : null;
}

function memberOf(path: string): unknown {
  try {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>> | null;
    return manifest?.[MEMBER];
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${failureText(error)}`);
  }
}
