import { parseArgs } from 'node:util';
import { nearest } from '../../core/job/nearest-name.js';
import type { Argument, CommandInput } from './command-input.js';
import { Refusal, type Given, type Option, type Options } from './option.js';
import { UsageError } from './usage-error.js';

interface Described<O extends Options> {
  readonly argument: Argument | null;
  readonly problems?: (input: CommandInput<O>) => readonly string[];
}

/**
 * Reads the arguments of a command.
 * @throws UsageError that lists every problem: options that there are not, values that are none, what is missing.
 */
export function readArguments<O extends Options, All extends O>(
  args: readonly string[],
  { argument, problems: crossed }: Described<O>,
  options: All,
): CommandInput<All> {
  const problems: string[] = [];
  const { texts, values } = split(args, options, problems);
  problems.push(...argumentProblems(argument, values));
  const given = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      readOption(name, { option, given: texts.get(name), problems }),
    ]),
  ) as Given<All>;
  const input = { options: given, values };
  // What is wrong on its own need not be right together with others.
  if (problems.length === 0) problems.push(...(crossed?.(input) ?? []));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return input;
}

interface Split {
  readonly texts: ReadonlyMap<string, string>;
  readonly values: readonly string[];
}

function split(args: readonly string[], options: Options, problems: string[]): Split {
  const types = Object.fromEntries(
    Object.entries(options).map(([name, { placeholder }]) => [
      name,
      { type: placeholder === null ? 'boolean' : 'string' } as const,
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: types,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const texts = new Map<string, string>();
  const values: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') values.push(token.value);
    if (token.kind !== 'option') continue;
    const problem = optionProblem(token, options);
    if (problem === null) texts.set(token.name, token.value ?? '');
    else problems.push(problem);
  }
  return { texts, values };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  /** It stands behind a `=`. */
  readonly inlineValue: boolean | undefined;
}

function optionProblem({ name, rawName, value, inlineValue }: OptionToken, options: Options): string | null {
  const option = rawName.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const meant = nearest(name, Object.keys(options));
    return `There is no option ${rawName}.${meant === null ? '' : ` Did you mean --${meant}?`}`;
  }
  if (option.placeholder === null) return value === undefined ? null : `--${name} takes no value.`;
  // What looks like an option hardly is the value of another one.
  const isMissing = value === undefined || (inlineValue !== true && value.startsWith('-'));
  return isMissing ? `--${name} needs a value: --${name}=${option.placeholder}.` : null;
}

function argumentProblems(argument: Argument | null, values: readonly string[]): readonly string[] {
  if (argument === null) return values.length === 0 ? [] : [`Too many arguments: ${values.join(', ')}.`];
  const { count, noun, help } = argument;
  if (values.length === 0) return count === 'optional' || count === 'any' ? [] : [`Name ${help}.`];
  const isOne = count === 'one' || count === 'optional';
  return isOne && values.length > 1 ? [`One ${noun} at a time: ${values.join(', ')}.`] : [];
}

function readOption(
  name: string,
  {
    option,
    given,
    problems,
  }: { readonly option: Option<unknown>; readonly given: string | undefined; readonly problems: string[] },
): unknown {
  if (given === undefined) {
    if (option.isRequired) problems.push(`--${name} is required: ${option.help}.`);
    return option.absent;
  }
  const read = option.read(given);
  if (!(read instanceof Refusal)) return read;
  problems.push(`--${name} ${read.text}.`);
  return option.absent;
}
