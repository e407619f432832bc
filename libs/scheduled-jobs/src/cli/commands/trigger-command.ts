import { definedOnly } from '../../core/defined-only.js';
import { ExecutionNotFoundError } from '../../core/errors.js';
import { isFinal } from '../../core/execution/execution-state.js';
import type { ExecutionDetail } from '../../core/ports/ledger-reader.js';
import type { EnqueuedExecution, EnqueueResult } from '../../nest/client/enqueue-options.js';
import type { JobsClient } from '../../nest/client/jobs-client.js';
import { defineCommand, type CommandContext } from '../command.js';
import { JOB_ARGUMENT } from '../arguments/execution-argument.js';
import { APPLICATION_OPTIONS, withLedger } from '../application/open-ledger.js';
import { operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { flag, json, text } from '../arguments/option.js';
import { untilDone } from '../until-done.js';

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
    wait: flag('show how it runs, and end when it has ended'),
    ...OPERATOR_OPTIONS,
    ...APPLICATION_OPTIONS,
  },
  exitCodes: {
    0: 'it was added, or was there already',
    1: 'it could not be added, or with --wait did not succeed',
  },
  run: ({ options, values }, context) =>
    withLedger({ place: options, context, needsJobs: true }, async ({ client }) => {
      const { period, key, payload, force, wait } = options;
      const request = { ...definedOnly({ period, key, payload }), ...operatorOf(options), force };
      const signal = wait ? context.breakOff() : null;
      const result = await client.trigger(values[0] ?? '', request);
      if (signal === null || result.execution === null) return { exitCode: 0, json: result, text: triggerText(result) };
      const { state } = await end(client, result.execution, { ...context, signal });
      const execution = { ...result.execution, state };
      const standing = isFinal(state) ? `It ended ${state}.` : `It is ${state} still: nothing was canceled.`;
      const text = `${triggerText(result)} ${standing}`;
      return { exitCode: state === 'succeeded' ? 0 : 1, json: { ...result, execution }, text };
    }),
});

/** Waits until an execution has ended, or nobody waits any more. */
async function end(
  client: JobsClient,
  { executionId, key }: EnqueuedExecution,
  { progress, signal }: CommandContext & { readonly signal: AbortSignal },
): Promise<ExecutionDetail> {
  const sinceMs = performance.now();
  return untilDone({
    look: async () => {
      const found = await client.get(executionId);
      if (found === null) throw new ExecutionNotFoundError(key);
      return found;
    },
    isDone: ({ state }) => isFinal(state),
    signal,
    show: ({ state }) =>
      progress.show({ text: `s, ${state}`, done: Math.round((performance.now() - sinceMs) / 1_000), total: null }),
  });
}

function triggerText({ execution, created }: EnqueueResult): string {
  if (execution === null)
    return 'That execution was done before, and retention has removed it since: nothing was added.';
  const { key, state } = execution;
  return created
    ? `Added ${key}.`
    : `${key} was there already${state === null ? '' : `, ${state}`}: nothing was added.`;
}
