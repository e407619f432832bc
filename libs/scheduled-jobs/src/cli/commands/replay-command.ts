import { definedOnly } from '../../core/defined-only.js';
import { REPLAYABLE_STATES, type ReplayFilter } from '../../core/ports/replay-store.js';
import type { JobsClient } from '../../nest/client/jobs-client.js';
import type { ReplayManyPreview } from '../../nest/client/replay-request.js';
import { defineCommand, type CommandContext } from '../command.js';
import { groupsTable } from '../output/groups-table.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';
import { bulkFilterOf } from '../arguments/bulk-filter.js';
import { BROKEN_OFF } from '../break-off.js';
import { BULK_OPTIONS, bulkProblems, operatorOf, OPERATOR_OPTIONS } from '../arguments/operator-input.js';
import { instant, integer, listOf, text, type Given } from '../arguments/option.js';

const PAGE = 500;
const MAX_TOTAL = 10_000_000;
const FILTERS = {
  job: text('<name>', 'of this job'),
  queue: text('<name>', 'of this queue'),
  states: listOf(`ended so, with commas: ${REPLAYABLE_STATES.join(', ')}; default failed`, REPLAYABLE_STATES),
  fingerprint: text('<text>', 'failed with this kind of error; "status" shows the fingerprints'),
  'finished-from': instant('ended at or after this time'),
  'finished-to': instant('ended before this time'),
};
const FILTER_NAMES = Object.keys(FILTERS).map((name) => `--${name}`);
const OPTIONS = {
  ...FILTERS,
  limit: integer('how many at most; default all', { min: 1, max: MAX_TOTAL }),
  'max-per-minute': integer('how many may start in a minute; default 600', { min: 1, max: 60_000 }),
  ...BULK_OPTIONS,
  ...OPERATOR_OPTIONS,
  ...LEDGER_OPTIONS,
};

/** Executes many ended executions once more. */
export const REPLAY_COMMAND = defineCommand({
  name: 'replay',
  summary: 'execute many ended executions once more, by filter',
  about: `Puts ended executions back into their queues, the oldest first, as fast as --max-per-minute says. Acknowledged failures
are left alone. Name at least one filter. One that is broken off may be repeated: what was put back is not meant again.`,
  argument: null,
  options: OPTIONS,
  exitCodes: { 0: 'done', 1: 'it could not be done' },
  problems: ({ options }) => [
    ...bulkProblems(options),
    ...(Object.keys(bulkFilterOf(options)).length > 0 ? [] : [`Name at least one filter: ${FILTER_NAMES.join(', ')}.`]),
  ],
  run: ({ options }, context) =>
    withLedger({ place: options, context }, async ({ client }) => {
      const filter = bulkFilterOf(options);
      const preview = await client.replay(filter, { dryRun: true });
      if (!options.yes) return { exitCode: 0, json: preview, text: previewText(preview) };
      const { isWhole, ...done } = await replayAll(client, { filter, options, total: preview.count }, context);
      const text = `${done.replayed} execution(s) run again; ${done.leftAlone} changed meanwhile and were left alone.`;
      if (isWhole) return { exitCode: 0, json: done, text };
      return { exitCode: 1, json: { ...done, brokenOff: true }, text: `${text} ${BROKEN_OFF}` };
    }),
});

interface Replay {
  readonly filter: ReplayFilter;
  readonly options: Given<typeof OPTIONS>;
  readonly total: number;
}

interface Replayed {
  readonly dryRun: false;
  readonly replayed: number;
  readonly leftAlone: number;
  /** False = it was broken off before its end. */
  readonly isWhole: boolean;
}

async function replayAll(
  client: JobsClient,
  { filter, options, total }: Replay,
  { progress, breakOff }: CommandContext,
): Promise<Replayed> {
  const { limit = MAX_TOTAL, 'max-per-minute': maxPerMinute } = options;
  const request = { ...operatorOf(options), ...definedOnly({ maxPerMinute }) };
  const signal = breakOff();
  let cursor: string | null = null;
  let replayed = 0;
  let leftAlone = 0;
  let isWhole = false;
  while (!isWhole && !signal.aborted) {
    const from: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    const page = await client.replay(filter, { ...request, ...from, limit: Math.min(PAGE, limit - replayed) });
    replayed += page.replayed.length;
    leftAlone += page.leftAlone;
    cursor = page.nextCursor;
    isWhole = cursor === null || replayed >= limit;
    progress.show({ text: 'replayed', done: replayed, total: Math.min(limit, total) });
  }
  return { dryRun: false, replayed, leftAlone, isWhole };
}

const previewText = ({ count, groups }: ReplayManyPreview): string =>
  [
    ...groupsTable(groups),
    count === 0 ? 'The filter means no execution.' : `${count} execution(s). Nothing was done; do it with --yes.`,
  ].join('\n');
