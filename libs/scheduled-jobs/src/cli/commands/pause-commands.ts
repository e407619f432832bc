import type { PauseResult } from '../../core/ports/suspension-store.js';
import { defineCommand } from '../command.js';
import type { Argument, CommandInput } from '../arguments/command-input.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';
import { operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { flag, text } from '../arguments/option.js';
import { instantText } from '../output/table.js';

const ARGUMENT: Argument = { placeholder: '<job>', noun: 'job', help: 'the name of a job', count: 'optional' };
const OPTIONS = {
  queue: text('<name>', 'a queue in place of a job; this needs no code of the jobs'),
  ...OPERATOR_OPTIONS,
  ...LEDGER_OPTIONS,
};

/** Lets a job or a queue rest. */
export const PAUSE_COMMAND = defineCommand({
  name: 'pause',
  summary: 'let a job or a queue rest, in all processes',
  about: `From now on workers claim nothing of it, and no period of a paused job becomes an execution. What runs goes on to its
end, what waits waits. Safe to call twice: the first one stays on record.`,
  argument: ARGUMENT,
  options: OPTIONS,
  exitCodes: { 0: 'it rests', 1: 'it could not be paused' },
  problems: oneTarget,
  run: ({ options, values: [job] }, context) =>
    withLedger({ place: options, context, needsJobs: job !== undefined }, async ({ client }) => {
      const operator = operatorOf(options);
      const result = await (job === undefined
        ? client.pauseQueue(options.queue ?? '', operator)
        : client.pause(job, operator));
      return { exitCode: 0, json: result, text: pauseText(targetText(job, options.queue), result) };
    }),
});

/** Ends the pause of a job or a queue. */
export const RESUME_COMMAND = defineCommand({
  name: 'resume',
  summary: 'end the pause of a job or a queue',
  about: `What waits may be claimed again. The periods of a job since the beginning of its pause are left out, as one skipped
range; with --catch-up the job's catch-up policy decides about them. Safe to call twice.`,
  argument: ARGUMENT,
  options: { ...OPTIONS, 'catch-up': flag('of a scheduled job: catch the periods of the pause up') },
  exitCodes: { 0: 'it goes on', 1: 'it could not be resumed' },
  problems: (input) => [
    ...oneTarget(input),
    ...(input.options['catch-up'] && input.options.queue !== undefined ? ['--catch-up goes with a job.'] : []),
  ],
  run: ({ options, values: [job] }, context) =>
    withLedger({ place: options, context, needsJobs: job !== undefined }, async ({ client }) => {
      const operator = operatorOf(options);
      const result = await (job === undefined
        ? client.resumeQueue(options.queue ?? '', operator)
        : client.resume(job, { ...operator, catchUp: options['catch-up'] }));
      return { exitCode: 0, json: result, text: resumeText(targetText(job, options.queue), result) };
    }),
});

function oneTarget({ options, values }: CommandInput<typeof OPTIONS>): readonly string[] {
  return (options.queue === undefined) === (values.length === 0) ? ['Name a job, or a queue with --queue.'] : [];
}

const targetText = (job: string | undefined, queue: string | undefined): string =>
  job === undefined ? `The queue ${queue}` : `The job ${job}`;

const pauseText = (target: string, { changed, at }: PauseResult): string =>
  changed ? `${target} is paused.` : `${target} was paused before, at ${instantText(at)}: nothing has changed.`;

const resumeText = (target: string, { changed }: PauseResult): string =>
  changed ? `${target} goes on.` : `${target} was not paused: nothing has changed.`;
