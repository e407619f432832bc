import { ExecutionNotFoundError } from '../../core/errors.js';
import type { ExecutionDetail, Explanation } from '../../core/ports/ledger-reader.js';
import { defineCommand } from '../command.js';
import { EXECUTION_ARGUMENT } from '../arguments/execution-argument.js';
import { LEDGER_OPTIONS, withLedger, type OpenLedger } from '../application/open-ledger.js';
import { instantText } from '../output/table.js';

interface WhyReport extends Explanation {
  readonly jobName: string;
  readonly state: ExecutionDetail['state'];
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly error: {
    readonly errorClass: string | null;
    readonly code: string | null;
    readonly message: string | null;
  } | null;
  /** What to do, as the job says: a text or URL; null = it says nothing. */
  readonly runbook: string | null;
}

/** Tells why an execution does not run, or how it ended, and what to do. */
export const WHY_COMMAND = defineCommand({
  name: 'why',
  summary: 'tell why an execution does not run or how it ended, and what to do',
  about: `Tells why an execution waits, what it does or how it ended, its last error, and the runbook of its job.`,
  argument: EXECUTION_ARGUMENT,
  options: LEDGER_OPTIONS,
  exitCodes: { 0: 'told', 1: 'there is no such execution' },
  run: ({ options, values }, context) =>
    withLedger({ place: options, context }, async (ledger) => {
      const report = await explain(ledger, values[0] ?? '');
      return { exitCode: 0, json: report, text: whyText(report) };
    }),
});

async function explain({ stores }: OpenLedger, keyOrId: string): Promise<WhyReport> {
  const [explanation, detail] = await Promise.all([stores.ledger.why(keyOrId, null), stores.ledger.get(keyOrId, null)]);
  if (explanation === null || detail === null) throw new ExecutionNotFoundError(keyOrId);
  const { jobName, state, attempts, maxAttempts, error, runbook } = detail;
  return {
    ...explanation,
    jobName,
    state,
    attempts,
    maxAttempts,
    error: error === null ? null : { errorClass: error.errorClass, code: error.code, message: error.message },
    runbook,
  };
}

function whyText({ key, jobName, state, text, error, attempts, maxAttempts, runbook, standing }: WhyReport): string {
  const ended = standing.kind === 'ended' ? `, ${instantText(standing.finishedAt)}` : '';
  return [
    `${key}  (job ${jobName}, ${state}${ended}, attempt ${attempts} of ${maxAttempts})`,
    text,
    ...(error === null
      ? []
      : [`Error: ${[error.errorClass, error.code, error.message].filter((one) => one !== null).join(': ')}`]),
    ...(runbook === null ? [] : [`Runbook: ${runbook}`]),
  ].join('\n');
}
