import type { Argument } from './command-input.js';
import type { Option, Options } from './option.js';

const MAX_WIDTH = 116;

interface Described {
  readonly name: string;
  readonly about: string;
  readonly argument: Argument | null;
  readonly options: Options;
  readonly exitCodes: { readonly 0: string; readonly 1: string };
}

/** All that `--help` says of a command. */
export function usageOf({ name, about, argument, options, exitCodes }: Described): string {
  const rows = [
    ...(argument === null ? [] : [[argument.placeholder, argument.help] as const]),
    ...Object.entries(options).map(
      ([option, { help, isRequired }]) => [`--${option}`, required(help, isRequired)] as const,
    ),
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    synopsis(name, argument, options),
    '',
    about,
    '',
    ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`),
    '',
    `Exit code: 0 ${exitCodes[0]}; 1 ${exitCodes[1]}; 2 wrong usage.`,
  ].join('\n');
}

const required = (help: string, isRequired: boolean): string => (isRequired ? `${help} (required)` : help);

function synopsis(name: string, argument: Argument | null, options: Options): string {
  const head = `nestjs-scheduled-jobs ${name}`;
  const words = [
    ...(argument === null ? [] : [argumentWord(argument)]),
    ...Object.entries(options).map(([option, described]) => optionWord(option, described)),
  ];
  const lines = [head];
  for (const word of words) {
    const line = `${lines.at(-1) ?? ''} ${word}`;
    if (line.length <= MAX_WIDTH) lines[lines.length - 1] = line;
    else lines.push(`${' '.repeat(head.length)} ${word}`);
  }
  return lines.join('\n');
}

function argumentWord({ placeholder, count }: Argument): string {
  const words = count === 'many' || count === 'any' ? `${placeholder} …` : placeholder;
  return count === 'optional' || count === 'any' ? `[${words}]` : words;
}

function optionWord(name: string, { placeholder, isRequired }: Option<unknown>): string {
  const word = placeholder === null ? `--${name}` : `--${name} ${placeholder}`;
  return isRequired ? word : `[${word}]`;
}
