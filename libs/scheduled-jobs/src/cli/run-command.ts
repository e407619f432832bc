import { readFileSync } from 'node:fs';
import { nearest } from '../core/job/nearest-name.js';
import type { Command, CommandContext } from './command.js';
import { CHECK_COMMAND } from './commands/check-command.js';
import { TICK_COMMAND } from './commands/tick-command.js';
import { failureText } from './failure-text.js';
import { UsageError } from './usage-error.js';

/** How the program ended: 0 = all is well, 1 = not, 2 = it was called in a way that cannot work. */
export interface ProgramAnswer {
  readonly exitCode: 0 | 1 | 2;
  /** For the standard output. */
  readonly output: string;
  /** For the standard error output. */
  readonly complaint: string;
}

const COMMANDS: readonly Command[] = [TICK_COMMAND, CHECK_COMMAND];

const HELP = `nestjs-scheduled-jobs <command>

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(8)}${summary}`).join('\n')}

nestjs-scheduled-jobs <command> --help tells more; --version tells the version.`;

/** Runs what the arguments of the program ask for; never throws. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<ProgramAnswer> {
  try {
    const { exitCode, text } = await answer(args, context);
    return { exitCode, output: `${text}\n`, complaint: '' };
  } catch (error) {
    const exitCode = error instanceof UsageError ? 2 : 1;
    const help = error instanceof UsageError ? '\nSee nestjs-scheduled-jobs --help.' : '';
    return { exitCode, output: '', complaint: `${failureText(error)}${help}\n` };
  }
}

async function answer([first, ...rest]: readonly string[], context: CommandContext) {
  if (first === '--help' || first === '-h' || first === 'help') return { exitCode: 0, text: HELP } as const;
  if (first === '--version' || first === '-v') return { exitCode: 0, text: version() } as const;
  const command = commandNamed(first);
  if (rest.includes('--help') || rest.includes('-h')) return { exitCode: 0, text: command.usage } as const;
  return command.run(rest, context);
}

function commandNamed(name: string | undefined): Command {
  const names = COMMANDS.map((command) => command.name);
  if (name === undefined) throw new UsageError(`Name a command: ${names.join(' or ')}.`);
  const found = COMMANDS.find((command) => command.name === name);
  if (found !== undefined) return found;
  const meant = nearest(name, names);
  throw new UsageError(`There is no command "${name}".${meant === null ? '' : ` Did you mean "${meant}"?`}`);
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
