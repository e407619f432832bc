import { definedOnly } from '../../core/defined-only.js';
import { defineCommand } from '../command.js';
import { EXECUTION_ARGUMENT } from '../arguments/execution-argument.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';
import { operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { flag, json } from '../arguments/option.js';
import { instantText } from '../output/table.js';

/** Executes one ended execution once more. */
export const RETRY_COMMAND = defineCommand({
  name: 'retry',
  summary: 'execute one ended execution once more',
  about: `Puts one ended execution back into its queue, with its key; what its earlier attempts have committed stays. For many
at once there is "replay".`,
  argument: EXECUTION_ARGUMENT,
  options: {
    force: flag('also one that succeeded: it then begins from its start'),
    payload: json('of a background job: takes the place of the stored payload; this needs the code of the jobs'),
    ...OPERATOR_OPTIONS,
    ...LEDGER_OPTIONS,
  },
  exitCodes: { 0: 'it waits in its queue', 1: 'it cannot be executed again, or there is none' },
  run: ({ options, values }, context) =>
    withLedger({ place: options, context, needsJobs: options.payload !== undefined }, async ({ client }) => {
      const { force, payload } = options;
      const request = { ...operatorOf(options), force, ...definedOnly({ payload }) };
      const replayed = await client.retry(values[0] ?? '', request);
      const { key, runAt } = replayed;
      return { exitCode: 0, json: replayed, text: `${key} may run again from ${instantText(runAt)} on.` };
    }),
});
