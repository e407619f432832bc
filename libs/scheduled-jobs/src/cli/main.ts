import { markCommandProcess } from '../nest/command-process.js';
import { breakOffOnSignal } from './break-off.js';
import { Progress } from './output/progress.js';
import { runCommand } from './run-command.js';

/**
 * The process of the commands. Only the answer goes to the standard output: whatever an application prints while it is
 * loaded or runs goes to the standard error output. The process ends with the command, also when an application leaves a
 * timer or a connection behind.
 */
export async function main(): Promise<void> {
  markCommandProcess();
  const writeAnswer = process.stdout.write.bind(process.stdout);
  const log = process.stderr.write.bind(process.stderr);
  process.stdout.write = log;
  process.stderr.on('error', () => undefined); // Nobody reads it any more: no reason to leave work half done.
  const progress = new Progress({ write: log, isTerminal: process.stderr.isTTY });
  const { exitCode, output, complaint } = await runCommand(process.argv.slice(2), {
    folder: process.cwd(),
    environment: process.env,
    log: (line) => {
      progress.end();
      log(`${line}\n`);
    },
    progress,
    breakOff: breakOffOnSignal,
  });
  progress.end();
  if (complaint !== '') log(complaint);
  process.stdout.once('error', () => process.exit(exitCode)); // Nobody reads any more, as behind `| head`.
  writeAnswer(output, () => process.exit(exitCode));
}
