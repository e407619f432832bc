import type { Given, Options } from './option.js';

/** What a command is given beside its options. */
export interface Argument {
  /** How it stands in the usage text, such as `<key>`. */
  readonly placeholder: string;
  /** One word for it, such as `key`. */
  readonly noun: string;
  readonly help: string;
  /** `many`: at least one; `any`: none, too. */
  readonly count: 'one' | 'optional' | 'many' | 'any';
}

/** What a command is given. */
export interface CommandInput<O extends Options> {
  readonly options: Given<O>;
  /** At most one, unless the command takes many. */
  readonly values: readonly string[];
}
