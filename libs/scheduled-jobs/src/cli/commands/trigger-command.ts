import type { EnqueueResult } from '../../nest/enqueue-options.js';
import { defineCommand } from '../command.js';
import { JOB_ARGUMENT } from '../execution-argument.js';
import { APPLICATION_OPTIONS, withLedger } from '../open-ledger.js';
import { operatorOf, OPERATOR_OPTIONS } from '../operator-input.js';
import { flag, json, text } from '../option.js';

/** Adds one execution by hand. */
export const TRIGGER_COMMAND = defineCommand({
  name: 'trigger',
  summary: 'add one execution of a job by hand',
  about: `Adds one execution: with --period the very one that a tick would have made, else one beside all periods. A worker
runs it. What exists already is not added again, so that the command may be repeated with --period or --key.`,
  argument: JOB_ARGUMENT,
  options: {
    period: text('<label>', 'of a scheduled job: the label of a period that has begun, such as 2026-08-14'),
    key: text('<key>', 'an idempotency key, so that two calls are one execution'),
    payload: json('of a background job: its payload'),
    force: flag('also while the job is paused: the execution waits until it is resumed'),
    ...OPERATOR_OPTIONS,
    ...APPLICATION_OPTIONS,
  },
  exitCodes: { 0: 'it was added, or was there already', 1: 'it could not be added' },
  run: ({ options, values }, context) =>
    withLedger({ place: options, context, needsJobs: true }, async ({ client }) => {
      const { period, key, payload, force } = options;
      const given = Object.entries({ period, key, payload }).filter(([, value]) => value !== undefined);
      const result = await client.trigger(values[0] ?? '', {
        ...Object.fromEntries(given),
        ...operatorOf(options),
        force,
      });
      return { exitCode: 0, json: result, text: triggerText(result) };
    }),
});

function triggerText({ execution, created }: EnqueueResult): string {
  if (execution === null)
    return 'That execution was done before, and retention has removed it since: nothing was added.';
  const { key, state } = execution;
  return created
    ? `Added ${key}.`
    : `${key} was there already${state === null ? '' : `, ${state}`}: nothing was added.`;
}
