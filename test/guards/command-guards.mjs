// What commands stand on: they change nothing of what is in force, look before they do much, and no terminal obeys their answers.

const TEST = 'test/postgres/commands.test.ts';

/** @type {readonly import('./guards.mjs').Guard[]} */
export const COMMAND_GUARDS = [
  {
    promise: 'an application that is started for a command registers nothing and starts nothing',
    file: 'nest/scheduled-jobs.lifecycle.ts',
    line: 'if (this.isOperating) return;',
    everywhere: true,
    test: TEST,
    name: 'registers nothing and starts nothing',
  },
  {
    promise: 'a command that is given the file that starts an application starts no worker',
    file: 'nest/run-worker.ts',
    line: 'refuseStartInCommand();',
    test: 'test/nest/run-worker.test.ts',
    name: 'refuses to run in the process of a command',
  },
  {
    promise: 'a command that is given the file that starts an application lets none of it run',
    file: 'nest/scheduled-jobs.lifecycle.ts',
    line: 'if (!this.isOnePass) refuseStartInCommand();',
    test: 'test/nest/run-worker.test.ts',
    name: 'refuses to run in the process of a command',
  },
  {
    promise: 'a test empties no ledger that applications outside of tests have used',
    file: 'testing/jobs-test-kit.ts',
    line: 'if (!force) await this.refuseUsedLedger();',
    test: 'test/nest/testing.test.ts',
    name: 'leaves a ledger alone that an application outside of tests has used',
  },
  {
    promise: 'what means many is looked at first',
    file: 'cli/commands/replay-command.ts',
    line: 'if (!options.yes) return { exitCode: 0, json: preview, text: previewText(preview) };',
    test: TEST,
    name: 'looks first, then puts all back page by page',
  },
  {
    promise: 'a terminal obeys nothing that the ledger holds',
    file: 'cli/run-command.ts',
    line: 'output: `${printable(text)}\\n`',
    instead: 'output: `${text}\\n`',
    test: TEST,
    name: 'tells how everything stands, and terminals obey nothing of it',
  },
  {
    promise: 'a command says as JSON what went wrong, when it was asked for JSON',
    file: 'cli/run-command.ts',
    line: '? `${printable(JSON.stringify({ error: { code: codeOf(error), message } }))}\\n`',
    instead: "? ''",
    test: 'libs/scheduled-jobs/src/cli/run-command.test.ts',
    name: 'says with --json as JSON what went wrong',
  },
  {
    promise: 'check --source follows no link',
    file: 'cli/sources/source-files.ts',
    line: 'entry.isFile() && ',
    test: 'libs/scheduled-jobs/src/cli/sources/check-sources.test.ts',
    name: 'follows no link',
  },
];
