import { Pruner } from '../../engine/pruner.js';
import { defineCommand, type CommandContext } from '../command.js';
import { failureText } from '../output/failure-text.js';
import { LEDGER_OPTIONS, withLedger, type OpenLedger } from '../application/open-ledger.js';
import { BROKEN_OFF } from '../break-off.js';
import { BULK_OPTIONS, bulkProblems } from '../arguments/operator-input.js';
import { table } from '../output/table.js';

const COUNT_AT_MOST = 10_000;

interface Prunable {
  readonly job: string;
  /** Counted up to 10,000. */
  readonly count: number;
  readonly capped: boolean;
}

interface Pruned {
  readonly dryRun: false;
  readonly removed: number;
  readonly failures: readonly { readonly job: string; readonly error: string }[];
  /** False = it was broken off before its end. */
  readonly isWhole: boolean;
}

/** Removes what retention lets go, at once. */
export const PRUNE_COMMAND = defineCommand({
  name: 'prune',
  summary: 'remove executions that are older than their jobs keep them, now',
  about: `Removes ended executions that are older than the "retention" of their job, as the upkeep of the running processes does
about once a minute: for a first time with many old ones, or before a backup. Their keys stay for ever.`,
  argument: null,
  options: { ...BULK_OPTIONS, ...LEDGER_OPTIONS },
  exitCodes: { 0: 'done', 1: 'executions of a job could not be removed' },
  problems: ({ options }) => bulkProblems(options),
  run: ({ options }, context) =>
    withLedger({ place: options, context }, async (ledger) => {
      if (!options.yes) {
        const jobs = await prunable(ledger, context);
        return { exitCode: 0, json: { dryRun: true, jobs }, text: prunableText(jobs) };
      }
      const { isWhole, ...pruned } = await prune(ledger, context);
      if (!isWhole)
        return { exitCode: 1, json: { ...pruned, brokenOff: true }, text: `${prunedText(pruned)} ${BROKEN_OFF}` };
      return { exitCode: pruned.failures.length === 0 ? 0 : 1, json: pruned, text: prunedText(pruned) };
    }),
});

async function prunable({ stores }: OpenLedger, { progress }: CommandContext): Promise<readonly Prunable[]> {
  const jobs: Prunable[] = [];
  const names = await stores.retention.jobNames();
  for (const [done, job] of names.entries()) {
    progress.show({ text: 'jobs counted', done, total: names.length });
    const count = await stores.retention.countPrunable(job, COUNT_AT_MOST + 1, null);
    if (count > 0) jobs.push({ job, count: Math.min(count, COUNT_AT_MOST), capped: count > COUNT_AT_MOST });
  }
  return jobs;
}

async function prune({ stores }: OpenLedger, { progress, breakOff }: CommandContext): Promise<Pruned> {
  const signal = breakOff();
  let removed = 0;
  const emit = (event: { readonly type: string; readonly count?: number }): void => {
    if (event.type === 'executions.pruned') removed += event.count ?? 0;
    progress.show({ text: 'executions removed', done: removed, total: null });
  };
  const pruner = new Pruner({ store: stores.retention, clock: stores.clock, emit });
  const failures = new Map<string, string>();
  let isWhole = false;
  while (!isWhole && !signal.aborted) {
    const pass = await pruner.run(signal);
    for (const { jobName, error } of pass.failures) failures.set(jobName, failureText(error));
    // A job that fails keeps its place and would be tried without end.
    isWhole = (!signal.aborted && !pass.hasMore) || failures.size > 0;
  }
  return { dryRun: false, isWhole, removed, failures: [...failures].map(([job, error]) => ({ job, error })) };
}

function prunableText(jobs: readonly Prunable[]): string {
  if (jobs.length === 0) return 'No execution is older than its job keeps it.';
  const rows = jobs.map(({ job, count, capped }) => [job, capped ? `${count} or more` : String(count)]);
  return [...table(['JOB', 'EXECUTIONS'], rows), 'Nothing was done; do it with --yes.'].join('\n');
}

const prunedText = ({ removed, failures }: Omit<Pruned, 'isWhole'>): string =>
  [
    `Removed ${removed} execution(s).`,
    ...failures.map(({ job, error }) => `Could not go on with ${job}: ${error}`),
  ].join('\n');
