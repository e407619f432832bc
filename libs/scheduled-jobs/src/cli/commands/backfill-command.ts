import { BACKFILL_ORDERS, endedOf, type Backfill } from '../../core/ports/backfill-store.js';
import type { BackfillPreview, BackfillResult } from '../../nest/client/backfill-request.js';
import type { JobsClient } from '../../nest/client/jobs-client.js';
import { defineCommand, type CommandContext } from '../command.js';
import { JOB_ARGUMENT } from '../arguments/execution-argument.js';
import { APPLICATION_OPTIONS, withLedger } from '../application/open-ledger.js';
import { BULK_OPTIONS, bulkProblems, operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { flag, instant, oneOf, required } from '../arguments/option.js';
import { untilDone } from '../until-done.js';

/** Executes periods of the past. */
export const BACKFILL_COMMAND = defineCommand({
  name: 'backfill',
  summary: 'execute periods of the past that have not been executed',
  about: `Adds the executions of a scheduled job for its periods from --from to --to, both inclusive, with the keys that ticks
would have given them. What was executed before is not executed again. They run one at a time, after all else.`,
  argument: JOB_ARGUMENT,
  options: {
    from: required(instant('the first instant, with an offset: 2026-08-01T00:00:00Z')),
    to: required(instant('the last instant, not in the future')),
    order: oneOf('in which order they run; default oldest-first', BACKFILL_ORDERS),
    wait: flag('with --yes: show the progress, and end when all of them have ended'),
    ...BULK_OPTIONS,
    ...OPERATOR_OPTIONS,
    ...APPLICATION_OPTIONS,
  },
  exitCodes: { 0: 'done', 1: 'it could not be done, or with --wait: an execution of it did not succeed' },
  problems: ({ options }) => [
    ...bulkProblems(options),
    ...(options.wait && !options.yes ? ['--wait goes with --yes.'] : []),
  ],
  run: ({ options, values }, context) =>
    withLedger({ place: options, context, needsJobs: true }, async ({ client }) => {
      const { from, to, order = 'oldest-first', yes, wait } = options;
      const signal = wait ? context.breakOff() : null;
      const started = await client.backfill(values[0] ?? '', { from, to, order, dryRun: !yes, ...operatorOf(options) });
      if (started.dryRun) return { exitCode: 0, json: started, text: previewText(started) };
      const backfill =
        signal === null ? started : { ...started, ...(await end(client, started, { ...context, signal })) };
      return { exitCode: wait && !isWell(backfill) ? 1 : 0, json: backfill, text: backfillText(backfill) };
    }),
});

/** Waits until none of the executions of a backfill waits or runs any more, or nobody waits for that. */
function end(
  client: JobsClient,
  { backfillId }: Backfill,
  { progress, signal }: CommandContext & { readonly signal: AbortSignal },
): Promise<Backfill> {
  return untilDone({
    look: () => client.getBackfill(backfillId),
    isDone: ({ done }) => done,
    signal,
    show: (backfill) => progress.show({ text: 'executions', done: endedOf(backfill), total: backfill.inserted }),
  });
}

const isWell = ({ states }: Backfill): boolean =>
  Object.entries(states).every(([state, count]) => count === 0 || state === 'succeeded');

function previewText({ occurrences, toInsert, existing, pruned, first, last }: BackfillPreview): string {
  if (occurrences === 0) return 'There is no period in this range.';
  return `Would add ${toInsert} execution(s), from ${first} to ${last}: of ${occurrences} period(s), ${existing} have one and ${pruned} had one. Nothing was done; do it with --yes.`;
}

function backfillText({ backfillId, inserted, occurrences, existing, pruned, states, done }: BackfillResult): string {
  const found = `Added ${inserted} execution(s) for ${occurrences} period(s); ${existing} had one, ${pruned} had one that was removed since.`;
  const standing = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const now = standing.length === 0 ? '' : ` ${done ? 'Ended' : 'Now'}: ${standing.join(', ')}.`;
  const cancel = done ? '' : ` Cancel it with: cancel --backfill ${backfillId}.`;
  return `${found}${now} Backfill ${backfillId}.${cancel}`;
}
