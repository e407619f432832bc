import { INSTANT_HINT, readInstant } from '../../core/job/instant-option.js';

/** Why the text of an option is none of its values; reads on behind the option's name. */
export class Refusal {
  constructor(readonly text: string) {}
}

/** One option of a command: how it is described, and what its text means. */
export interface Option<T> {
  /** What stands for the value in the usage text, such as `<n>`; null = a flag, which has none. */
  readonly placeholder: string | null;
  readonly help: string;
  readonly isRequired: boolean;
  /** What it is when it is not given. */
  readonly absent: T;
  /** Reads what was given; a flag is given the empty text. */
  readonly read: (text: string) => T | Refusal;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, by their names. */
export type Given<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

export const flag = (help: string): Option<boolean> => ({
  placeholder: null,
  help,
  isRequired: false,
  absent: false,
  read: () => true,
});

/** Any text but the empty one. */
export const text = (placeholder: string, help: string): Option<string | undefined> =>
  optional(placeholder, help, (given) => (given === '' ? new Refusal('must not be empty') : given));

export const integer = (
  help: string,
  bounds: { readonly min: number; readonly max: number },
): Option<number | undefined> =>
  optional('<n>', help, (given) => {
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    return new Refusal(`must be a whole number from ${bounds.min} to ${bounds.max}, got ${JSON.stringify(given)}`);
  });

/** A time with an offset. */
export const instant = (help: string): Option<Date | undefined> =>
  optional('<time>', help, (given) => {
    const hint = INSTANT_HINT.replace('a Date or ', '');
    return readInstant(given) ?? new Refusal(`must be ${hint}, got ${JSON.stringify(given)}`);
  });

/** One of some words. */
export const oneOf = <T extends string>(help: string, choices: readonly T[]): Option<T | undefined> =>
  optional(`<${choices.join('|')}>`, help, (given) => choiceOf(given, choices));

/** Some of some words, with commas between them. */
export const listOf = <T extends string>(help: string, choices: readonly T[]): Option<readonly T[] | undefined> =>
  optional('<list>', help, (given) => {
    const read = given.split(',').map((word) => choiceOf(word.trim(), choices));
    return read.find((one) => one instanceof Refusal) ?? (read as readonly T[]);
  });

/** Any JSON. */
export const json = (help: string): Option<unknown> =>
  optional('<json>', help, (given) => {
    try {
      return JSON.parse(given) as unknown;
    } catch (error) {
      return new Refusal(`must be JSON: ${(error as Error).message}`);
    }
  });

/** The same option, which must be given. */
export const required = <T>(option: Option<T | undefined>): Option<T> => ({
  ...(option as Option<T>),
  isRequired: true,
});

function optional<T>(placeholder: string, help: string, read: Option<T | undefined>['read']): Option<T | undefined> {
  return { placeholder, help, isRequired: false, absent: undefined, read };
}

function choiceOf<T extends string>(given: string, choices: readonly T[]): T | Refusal {
  const known: readonly string[] = choices;
  return known.includes(given)
    ? (given as T)
    : new Refusal(`must be one of ${choices.join(', ')}, got ${JSON.stringify(given)}`);
}
