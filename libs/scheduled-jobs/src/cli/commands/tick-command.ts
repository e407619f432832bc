import { runTick } from '../../nest/run-tick.js';
import { readArguments } from '../command-arguments.js';
import type { Command } from '../command.js';
import { LineLogger } from '../line-logger.js';
import { loadModule } from '../load-module.js';
import { tickJson, tickText } from '../tick-report.js';

/** Makes one pass over the schedules of an application, for a timer that is somebody else's. */
export const TICK_COMMAND: Command = {
  name: 'tick',
  summary: 'turn due periods into executions once, and end',
  usage: `nestjs-scheduled-jobs tick <file>[#ExportName] [--json]

Makes one pass over the schedules of an application and ends, so that a Kubernetes CronJob or a systemd timer
can be the clock. Nothing is claimed or run: workers do that. Passes may overlap, also with other schedulers.

  <file>         the built file of the root module, such as dist/app.module.js; it may name the export
  --json         one line of JSON instead of a sentence

Exit code: 0 done; 1 a schedule failed, or the application could not start; 2 wrong usage.
Only the answer goes to the standard output; warnings and errors go to the standard error output.`,
  run: async (args, { folder, log }) => {
    const given = readArguments(args, { json: { type: 'boolean' } });
    const module = await loadModule(given.module, folder);
    const report = await runTick(module, { abortOnError: false, logger: new LineLogger(log) });
    return {
      exitCode: report.failures.length === 0 ? 0 : 1,
      text: given.isSet('json') ? tickJson(report) : tickText(report),
    };
  },
};
