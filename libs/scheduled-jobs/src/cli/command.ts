/** What a command may know of the process that it runs in. */
export interface CommandContext {
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what is for people beside the answer: log lines. */
  readonly log: (line: string) => void;
}

/** How a command ended: 0 = all is well, 1 = not. */
export interface CommandAnswer {
  readonly exitCode: 0 | 1;
  /** What the answer is, without the last line break. */
  readonly text: string;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** All that `--help` says. */
  readonly usage: string;
  /** @throws UsageError for arguments that cannot work; anything else for what went wrong. */
  run(args: readonly string[], context: CommandContext): Promise<CommandAnswer>;
}
