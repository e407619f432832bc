import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.js';

const run = (...args: string[]) =>
  runCommand(args, { folder: '/nowhere', environment: {}, log: () => expect.unreachable('logged') });

describe('the program', () => {
  it.each(['--help', '-h', 'help'])('lists its commands for %s', async (flag) => {
    const { exitCode, output, complaint } = await run(flag);
    expect([exitCode, complaint]).toEqual([0, '']);
    expect(output).toMatch(/^ {2}tick {4}turn due periods into executions once, and end$/m);
    expect(output).toMatch(/^ {2}check {3}find mistakes/m);
  });

  it.each(['tick', 'check'])('explains %s, also when the rest is wrong', async (command) => {
    const { exitCode, output } = await run(command, '--nonsense', '--help');
    expect([exitCode, output.startsWith(`nestjs-scheduled-jobs ${command} <file>`)]).toEqual([0, true]);
    expect(output).toContain('Exit code: 0');
  });

  it('tells its version', async () => {
    expect(await run('--version')).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
      complaint: '',
    });
  });

  it.each([
    [[], 'Name a command: tick or check.'],
    [['chek'], 'There is no command "chek". Did you mean "check"?'],
    [['retry'], 'There is no command "retry".'],
    [['tick'], 'Name the file of the module'],
    [['tick', 'app.module.js'], 'There is no file /nowhere/app.module.js. Build the application first.'],
    [['tick', 'a.js', '--jsn'], 'There is no option --jsn. Did you mean --json?'],
    [['check', 'a.js', '--count', '0'], '--count must be a whole number from 1 to 1000, got "0".'],
    [['check', 'a.js', '--database'], '--database needs the environment variable DATABASE_URL'],
    [['check', 'a.js', '--time-zone', 'CEST'], '--time-zone: there is no time zone "CEST"'],
  ])('answers %j with code 2 and what to do', async (args, complaint) => {
    expect(await run(...args)).toEqual({
      exitCode: 2,
      output: '',
      complaint: expect.stringContaining(complaint),
    });
    expect((await run(...args)).complaint).toMatch(/See nestjs-scheduled-jobs --help\.\n$/);
  });
});
