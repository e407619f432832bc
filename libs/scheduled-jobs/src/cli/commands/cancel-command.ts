import type { CanceledExecution } from '../../engine/operations.js';
import { defineCommand } from '../command.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';
import { BULK_OPTIONS, bulkProblems, operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { text } from '../arguments/option.js';

const DONE_TEXT = {
  canceled: 'canceled',
  asked: 'runs; its worker was asked to stop',
} as const satisfies Record<CanceledExecution['done'], string>;

/** Cancels one execution, or what is left of a backfill. */
export const CANCEL_COMMAND = defineCommand({
  name: 'cancel',
  summary: 'cancel an execution, or what is left of a backfill',
  about: `What waits ends at once. Of what runs, the signal fires within a second. What has not started of a backfill is canceled
with --backfill and --yes; what runs of it goes on to its end. Safe to call twice.`,
  argument: {
    placeholder: '<key>',
    noun: 'execution',
    help: 'the key of an execution, such as daily-report:2026-08-14, or its id',
    count: 'optional',
  },
  options: {
    backfill: text('<id>', 'a backfill in place of an execution'),
    ...BULK_OPTIONS,
    ...OPERATOR_OPTIONS,
    ...LEDGER_OPTIONS,
  },
  exitCodes: { 0: 'canceled, or asked to stop', 1: 'it has ended otherwise, or there is none' },
  problems: ({ options, values }) => [
    ...((options.backfill === undefined) === (values.length === 0)
      ? ['Name an execution, or a backfill with --backfill.']
      : []),
    ...bulkProblems(options),
  ],
  run: ({ options, values: [key] }, context) =>
    withLedger({ place: options, context }, async ({ client }) => {
      const { backfill: id = '', yes } = options;
      const operator = operatorOf(options);
      if (key !== undefined) {
        const canceled = await client.cancel(key, operator);
        return { exitCode: 0, json: canceled, text: `${canceled.key}: ${DONE_TEXT[canceled.done]}.` };
      }
      if (yes) {
        const canceled = await client.cancelBackfill(id, operator);
        return {
          exitCode: 0,
          json: canceled,
          text: `Canceled ${canceled.canceledNow} execution(s) of backfill ${id}.`,
        };
      }
      const backfill = await client.getBackfill(id);
      const { pending = 0, retrying = 0, running = 0 } = backfill.states;
      const text = `Would cancel ${pending + retrying} execution(s) of backfill ${id}; ${running} run and go on. Nothing was done; do it with --yes.`;
      return { exitCode: 0, json: { dryRun: true, ...backfill }, text };
    }),
});
