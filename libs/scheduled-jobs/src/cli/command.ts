import type { Argument, CommandInput } from './arguments/command-input.js';
import { flag, type Options } from './arguments/option.js';
import type { Progress } from './output/progress.js';
import { readArguments } from './arguments/read-arguments.js';
import { usageOf } from './arguments/usage.js';

/** What a command may know of the process that it runs in. */
export interface CommandContext {
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what is for people beside the answer: log lines. */
  readonly log: (line: string) => void;
  /** Shows how far long work has come. */
  readonly progress: Progress;
  /** Called by a command that takes long: from then on it is not ended by a signal, but asked to end, by the one that it gets. */
  readonly breakOff: () => AbortSignal;
}

/** How a command ended: 0 = all is well, 1 = not. */
export interface CommandAnswer {
  readonly exitCode: 0 | 1;
  /** What the answer is, without the last line break. */
  readonly text: string;
}

/** What a command found or did. */
export interface Report {
  readonly exitCode: 0 | 1;
  /** For `--json`. */
  readonly json: unknown;
  /** For people, without the last line break. */
  readonly text: string;
}

/** A command as it is described: usage text, reading of arguments and `--json` follow from that. */
export interface CommandDescription<O extends Options> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it does, in lines of at most 116 characters. */
  readonly about: string;
  readonly argument: Argument | null;
  readonly options: O;
  /** What the exit codes 0 and 1 mean. */
  readonly exitCodes: { readonly 0: string; readonly 1: string };
  /** Problems of options that do not go together. */
  readonly problems?: (input: CommandInput<O>) => readonly string[];
  /** @throws UsageError for what cannot work; anything else for what went wrong. */
  readonly run: (input: CommandInput<O>, context: CommandContext) => Promise<Report>;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** All that `--help` says. */
  readonly usage: string;
  /** @throws UsageError for arguments that cannot work; anything else for what went wrong. */
  run(args: readonly string[], context: CommandContext): Promise<CommandAnswer>;
}

const JSON_OPTION = { json: flag('one line of JSON instead of text') };

/** Makes a command of its description. */
export function defineCommand<const O extends Options>(described: CommandDescription<O>): Command {
  const options = { ...described.options, ...JSON_OPTION };
  return {
    name: described.name,
    summary: described.summary,
    usage: usageOf({ ...described, options }),
    run: async (args, context) => {
      const input = readArguments(args, described, options);
      const { exitCode, json, text } = await described.run(input, context);
      return { exitCode, text: input.options.json ? JSON.stringify(json) : text };
    },
  };
}
