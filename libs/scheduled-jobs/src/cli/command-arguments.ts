import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '../core/job/nearest-name.js';
import { UsageError } from './usage-error.js';

type OptionNames = NonNullable<ParseArgsConfig['options']>;

/** What a command was given. */
export interface CommandArguments {
  /** The file of the application's module, with the name of its export behind a `#`. */
  readonly module: string;
  text(name: string): string | undefined;
  isSet(name: string): boolean;
  /** @throws UsageError when it is not a whole number in the range. */
  integer(name: string, fallback: number, bounds: { readonly min: number; readonly max: number }): number;
}

/**
 * Reads the arguments of a command that takes one module.
 * @throws UsageError for options that there are not, and for any other number of modules.
 */
export function readArguments(args: readonly string[], options: OptionNames): CommandArguments {
  const { values, positionals } = parsed(args, options);
  const [module, ...others] = positionals;
  if (module === undefined) throw new UsageError('Name the file of the module, such as dist/app.module.js.');
  if (others.length > 0) throw new UsageError(`One module at a time: ${[module, ...others].join(', ')}.`);
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    module,
    text,
    isSet: (name) => values[name] === true,
    integer: (name, fallback, { min, max }) => {
      const value = text(name) ?? String(fallback);
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, got ${JSON.stringify(value)}.`);
    },
  };
}

function parsed(args: readonly string[], options: OptionNames) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const unknown = /^Unknown option '--([^']*)'/.exec(error.message)?.[1];
    if (unknown === undefined) throw new UsageError(error.message);
    const meant = nearest(unknown, Object.keys(options));
    throw new UsageError(`There is no option --${unknown}.${meant === null ? '' : ` Did you mean --${meant}?`}`);
  }
}
