import {
  InvalidPayloadError,
  InvalidQueryError,
  InvalidRequestError,
  JobsError,
  UnknownJobError,
} from '../core/errors.js';
import { nearest } from '../core/job/nearest-name.js';
import { packageVersion } from '../nest/package-version.js';
import type { Command, CommandContext } from './command.js';
import { COMMANDS } from './commands.js';
import { failureText } from './output/failure-text.js';
import { printable } from './output/printable.js';
import { UsageError } from './arguments/usage-error.js';

/** How the program ended: 0 = all is well, 1 = not, 2 = it was called in a way that cannot work. */
export interface ProgramAnswer {
  readonly exitCode: 0 | 1 | 2;
  /** For the standard output. */
  readonly output: string;
  /** For the standard error output. */
  readonly complaint: string;
}

/** What the library refuses because of what it was given, before anything is written. */
const REFUSED_INPUT = [InvalidRequestError, InvalidQueryError, InvalidPayloadError, UnknownJobError];
const NAME_WIDTH = Math.max(...COMMANDS.map(({ name }) => name.length));

const HELP = `nestjs-scheduled-jobs <command>

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}  ${summary}`).join('\n')}

nestjs-scheduled-jobs <command> --help tells more; --version tells the version.`;

/** Runs what the arguments of the program ask for; never throws. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<ProgramAnswer> {
  try {
    const { exitCode, text } = await answer(args, context);
    return { exitCode, output: `${printable(text)}\n`, complaint: '' };
  } catch (error) {
    return failure(error, args);
  }
}

/** What went wrong is for people, and for machines the same as JSON: what reads an answer must not find nothing. */
function failure(error: unknown, args: readonly string[]): ProgramAnswer {
  const isJson = args.includes('--json');
  const message = failureText(error);
  const help = error instanceof UsageError ? `\nSee nestjs-scheduled-jobs ${helpFor(args[0])}.` : '';
  return {
    exitCode: isWrongUse(error) ? 2 : 1,
    output: isJson ? `${printable(JSON.stringify({ error: { code: codeOf(error), message } }))}\n` : '',
    complaint: `${printable(message)}${help}\n`,
  };
}

const helpFor = (first: string | undefined): string =>
  COMMANDS.some(({ name }) => name === first) ? `${first} --help` : '--help';

function codeOf(error: unknown): string {
  if (error instanceof JobsError) return error.code;
  return error instanceof UsageError ? 'JOBS_WRONG_USAGE' : 'JOBS_COMMAND_FAILED';
}

const isWrongUse = (error: unknown): boolean =>
  error instanceof UsageError || REFUSED_INPUT.some((refused) => error instanceof refused);

async function answer([first, ...rest]: readonly string[], context: CommandContext) {
  if (first === '--help' || first === '-h' || first === 'help') return { exitCode: 0, text: HELP } as const;
  if (first === '--version' || first === '-v') return { exitCode: 0, text: packageVersion() } as const;
  const command = commandNamed(first);
  if (rest.includes('--help') || rest.includes('-h')) return { exitCode: 0, text: command.usage } as const;
  return command.run(rest, context);
}

function commandNamed(name: string | undefined): Command {
  const names = COMMANDS.map((command) => command.name);
  if (name === undefined) throw new UsageError(`Name a command: ${names.join(', ')}.`);
  const found = COMMANDS.find((command) => command.name === name);
  if (found !== undefined) return found;
  const meant = nearest(name, names);
  throw new UsageError(`There is no command "${name}".${meant === null ? '' : ` Did you mean "${meant}"?`}`);
}
