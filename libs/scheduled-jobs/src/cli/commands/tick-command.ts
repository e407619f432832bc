import { runTick } from '../../nest/run-tick.js';
import { defineCommand } from '../command.js';
import { MODULE_ARGUMENT, namedApplication } from '../application/find-application.js';
import { LineLogger } from '../output/line-logger.js';
import { loadModule } from '../application/load-module.js';
import { tickJson, tickText } from '../output/tick-report.js';

/** Makes one pass over the schedules of an application, for a timer that is somebody else's. */
export const TICK_COMMAND = defineCommand({
  name: 'tick',
  summary: 'turn due periods into executions once, and end',
  about: `Makes one pass over the schedules of an application and ends, so that a Kubernetes CronJob or a systemd timer
can be the clock. Nothing is claimed or run: workers do that. Passes may overlap, also with other schedulers.
Only the answer goes to the standard output; warnings and errors go to the standard error output.`,
  argument: MODULE_ARGUMENT,
  options: {},
  exitCodes: { 0: 'done', 1: 'a schedule failed, or the application could not start' },
  run: async ({ values }, context) => {
    const module = await loadModule(namedApplication(values[0], context), context.folder);
    const report = await runTick(module, { abortOnError: false, logger: new LineLogger(context.log) });
    return { exitCode: report.failures.length === 0 ? 0 : 1, json: tickJson(report), text: tickText(report) };
  },
});
