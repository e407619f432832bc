import type { Acknowledgement } from '../../engine/operations.js';
import type { JobsClient } from '../../nest/client/jobs-client.js';
import { defineCommand, type CommandContext, type Report } from '../command.js';
import { EXECUTION_ARGUMENT } from '../arguments/execution-argument.js';
import { groupsTable } from '../output/groups-table.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';
import { bulkFilterOf } from '../arguments/bulk-filter.js';
import { BROKEN_OFF } from '../break-off.js';
import { BULK_OPTIONS, bulkProblems, operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { instant, text, type Given } from '../arguments/option.js';

const PAGE = 500;
const FILTERS = {
  job: text('<name>', 'in place of keys: all dead letters of this job'),
  queue: text('<name>', 'the same, of this queue'),
  fingerprint: text('<text>', 'the same, with this kind of error; "status" shows the fingerprints'),
  'finished-from': instant('the same, ended at or after this time'),
  'finished-to': instant('the same, ended before this time'),
};
const FILTER_NAMES = Object.keys(FILTERS).map((name) => `--${name}`);
const OPTIONS = { ...FILTERS, ...BULK_OPTIONS, ...OPERATOR_OPTIONS, ...LEDGER_OPTIONS };

const WHY_NOT = {
  'not-found': 'there is no such execution',
  'not-failed': 'it has not failed',
  'acknowledged-before': 'it was acknowledged before',
  held: 'something else holds it: ask again',
} as const satisfies Record<Acknowledgement['unchanged'][number]['why'], string>;

/** Acknowledges failures. */
export const ACKNOWLEDGE_COMMAND = defineCommand({
  name: 'acknowledge',
  summary: 'take failures off the list of dead letters: somebody knows of them',
  about: `Acknowledges failures: they are no dead letters any more, and "replay" leaves them alone. By keys, up to 1000 at a time,
or by filter, with --yes.`,
  argument: {
    ...EXECUTION_ARGUMENT,
    help: 'keys of executions, such as daily-report:2026-08-14, or ids',
    count: 'any',
  },
  options: OPTIONS,
  exitCodes: { 0: 'all of them are acknowledged', 1: 'one of them is no failure, or there is none' },
  problems: ({ options, values }) => [
    ...(Object.keys(bulkFilterOf(options)).length > 0 === values.length > 0
      ? [`Name keys of executions, or dead letters with ${FILTER_NAMES.join(', ')}.`]
      : []),
    ...bulkProblems(options),
  ],
  run: ({ options, values }, context) =>
    withLedger({ place: options, context }, async ({ client }) => {
      if (values.length === 0) return acknowledgeMany(client, options, context);
      const result = await client.acknowledge(values, operatorOf(options));
      return { exitCode: isWell(result) ? 0 : 1, json: result, text: acknowledgeText(result) };
    }),
});

/** Oldest first, page by page. */
async function acknowledgeMany(
  client: JobsClient,
  options: Given<typeof OPTIONS>,
  { progress, breakOff }: CommandContext,
): Promise<Report> {
  const filter = bulkFilterOf(options);
  const preview = await client.acknowledge(filter, { dryRun: true });
  const { count, groups } = preview;
  if (!options.yes) {
    const told =
      count === 0 ? 'There is no such dead letter.' : `${count} dead letter(s). Nothing was done; do it with --yes.`;
    return { exitCode: 0, json: preview, text: [...groupsTable(groups), told].join('\n') };
  }
  let done = 0;
  let leftAlone = 0;
  let cursor: string | null = null;
  let isWhole = false;
  const signal = breakOff();
  while (!isWhole && !signal.aborted) {
    const from: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    const page = await client.acknowledge(filter, { ...operatorOf(options), ...from, limit: PAGE });
    done += page.acknowledged.length;
    leftAlone += page.leftAlone;
    cursor = page.nextCursor;
    isWhole = cursor === null;
    progress.show({ text: 'acknowledged', done, total: count });
  }
  const json = { dryRun: false, count: done, leftAlone };
  const text = doneText(done, leftAlone);
  if (isWhole) return { exitCode: 0, json, text };
  return { exitCode: 1, json: { ...json, brokenOff: true }, text: `${text} ${BROKEN_OFF}` };
}

function doneText(done: number, leftAlone: number): string {
  const changed = leftAlone === 0 ? '' : ` ${leftAlone} changed meanwhile and were left alone.`;
  return `Acknowledged ${done} dead letter(s).${changed}`;
}

const isWell = ({ unchanged }: Acknowledgement): boolean => unchanged.every(({ why }) => why === 'acknowledged-before');

const acknowledgeText = ({ acknowledged, unchanged }: Acknowledgement): string =>
  [
    ...acknowledged.map((key) => `${key}: acknowledged.`),
    ...unchanged.map(({ key, why, state }) => `${key}: ${WHY_NOT[why]}${state === null ? '' : ` (${state})`}.`),
  ].join('\n');
