import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.js';
import { Progress } from './output/progress.js';
import { runCommand } from './run-command.js';

const nothing = () => expect.unreachable('written');
const run = (...args: string[]) =>
  runCommand(args, {
    folder: '/nowhere',
    environment: {},
    log: nothing,
    progress: new Progress({ write: nothing, isTerminal: false }),
    breakOff: () => new AbortController().signal,
  });
const NAMES = COMMANDS.map(({ name }) => name);

describe('the program', () => {
  it.each(['--help', '-h', 'help'])('lists its commands for %s', async (flag) => {
    const { exitCode, output, complaint } = await run(flag);
    expect([exitCode, complaint]).toEqual([0, '']);
    expect(output).toMatch(/^ {2}tick {9}turn due periods into executions once, and end$/m);
    expect(output).toMatch(/^ {2}check {8}find mistakes/m);
    expect(output.match(/^ {2}\w+/gm)?.map((name) => name.trim())).toEqual(NAMES);
  });

  it.each(NAMES)('explains %s in lines of a terminal, also when the rest is wrong', async (command) => {
    const { exitCode, output } = await run(command, '--nonsense', '--help');
    expect([exitCode, output.startsWith(`nestjs-scheduled-jobs ${command} `)]).toEqual([0, true]);
    expect(output).toContain('Exit code: 0');
    expect(output.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  it('tells its version', async () => {
    expect(await run('--version')).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
      complaint: '',
    });
  });

  it.each([
    [[], `Name a command: ${NAMES.join(', ')}.`],
    [['chek'], 'There is no command "chek". Did you mean "check"?'],
    [['delete'], 'There is no command "delete".'],
    [['tick'], 'Name the file of the module, such as dist/app.module.js: as an argument, in the'],
    [['tick', 'app.module.js'], 'There is no file /nowhere/app.module.js. Build the application first.'],
    [['tick', 'a.js', '--jsn'], 'There is no option --jsn. Did you mean --json?'],
    [['check', 'a.js', '--count', '0'], '--count must be a whole number from 1 to 1000, got "0".'],
    [['check', 'a.js', '--database'], '--database needs the environment variable DATABASE_URL'],
    [['check', 'a.js', '--time-zone', 'CEST'], '--time-zone: there is no time zone "CEST"'],
    [['status'], 'Where is the ledger? Set DATABASE_URL, give --database-url, or name the application.'],
    [['status', '--database-url', 'shop:geheim@db'], 'The URL of the database must start with "postgres://".'],
    [['status', '--app', 'a.js', '--database-url', 'postgres://x/y'], 'Give either --app or --database-url.'],
    [['status', '--app', 'a.js', '--schema', 'x'], '--schema goes with --database-url: an application knows its own.'],
    [['trigger', 'report'], '--reason is required: why, for the audit'],
    [
      ['trigger', 'report', '--reason', 'x'],
      'This needs the code of the jobs. Name the file of the module, such as dist/app.module.js: with --app, in the',
    ],
    [['trigger', 'report', '--reason', 'x', '--database-url', 'postgres://x/y'], 'There is no option --database-url.'],
    [['pause', '--reason', 'x'], 'Name a job, or a queue with --queue.'],
    [['pause', 'report', '--queue', 'mail', '--reason', 'x'], 'Name a job, or a queue with --queue.'],
    [['resume', '--queue', 'mail', '--catch-up', '--reason', 'x'], '--catch-up goes with a job.'],
    [['backfill', 'report', '--reason', 'x'], '--from is required: the first instant'],
    [['replay', '--job', 'x', '--reason', 'x', '--yes', '--dry-run'], 'Give either --yes or --dry-run.'],
    [['cancel', '--reason', 'x'], 'Name an execution, or a backfill with --backfill.'],
    [['acknowledge', '--reason', 'x'], 'Name keys of executions, or dead letters with --job'],
    [['acknowledge', 'a:1', '--job', 'a', '--reason', 'x'], 'Name keys of executions, or dead letters with --job'],
    [['replay', '--reason', 'x', '--yes'], 'Name at least one filter: --job, --queue, --states'],
    [['prune', 'report'], 'Too many arguments: report.'],
  ])('answers %j with code 2 and what to do', async (args, complaint) => {
    expect(await run(...args)).toEqual({
      exitCode: 2,
      output: '',
      complaint: expect.stringContaining(complaint),
    });
    const help = NAMES.includes(args[0] ?? '') ? `${args[0]} --help` : '--help';
    expect((await run(...args)).complaint).toContain(`\nSee nestjs-scheduled-jobs ${help}.\n`);
  });

  it.each([
    [['status'], 'JOBS_WRONG_USAGE', 'Where is the ledger?'],
    [['chek'], 'JOBS_WRONG_USAGE', 'Did you mean "check"?'],
    [['status', '--database-url', 'postgres://nobody@127.0.0.1:1/x'], 'JOBS_STORE_UNAVAILABLE', ''],
    [['check', '--source', `no\u001bwhere`], 'JOBS_WRONG_USAGE', 'no\u001bwhere'],
  ])('says with --json as JSON what went wrong with %j', async (args, code, message) => {
    const { exitCode, output, complaint } = await run(...args, '--json');
    expect(exitCode).toBeGreaterThan(0);
    expect(output.indexOf('\n')).toBe(output.length - 1);
    expect(output).not.toContain('\u001b');
    expect(JSON.parse(output)).toEqual({ error: { code, message: expect.stringContaining(message) } });
    expect(complaint).not.toBe('');
  });
});
