import { MINUTE_MS } from '../../core/duration.js';
import { endedOf, type Backfill } from '../../core/ports/backfill-store.js';
import type { CappedCount } from '../../core/ports/capped-count.js';
import type { DeadLetterGroup } from '../../core/ports/dead-letter-reader.js';
import type { Instance } from '../../core/ports/instance-store.js';
import type { ScheduleSummary } from '../../core/ports/ledger-reader.js';
import type { QueueView } from '../../nest/client/queues.js';
import { readServer } from '../../postgres/diagnosis/server-facts.js';
import { defineCommand } from '../command.js';
import { aliveAt } from '../doctor/fleet-findings.js';
import { LEDGER_OPTIONS, withLedger, type OpenLedger } from '../application/open-ledger.js';
import { instantText, spanText, table } from '../output/table.js';

/** A tick comes at most 30 s after its period. */
const BEHIND_MS = MINUTE_MS;
const MAX_ROWS = 50;

interface Status {
  readonly now: Date;
  readonly schedules: readonly ScheduleSummary[];
  readonly queues: readonly QueueView[];
  readonly instances: readonly (Instance & { readonly isAlive: boolean })[];
  /** Those that are open, the newest first. */
  readonly backfills: readonly Backfill[];
  readonly deadLetters: CappedCount & { readonly groups: readonly DeadLetterGroup[] };
}

/** How everything stands, on one page. */
export const STATUS_COMMAND = defineCommand({
  name: 'status',
  summary: 'tell how schedules, queues, instances, backfills and dead letters stand',
  about: `Tells how everything stands: schedules with their last and next period, queues, the processes of the last day, backfills
that are open, and dead letters by job and kind of error. "doctor" tells what is wrong and what to do.`,
  argument: null,
  options: LEDGER_OPTIONS,
  exitCodes: { 0: 'told', 1: 'the ledger cannot be read' },
  run: ({ options }, context) =>
    withLedger({ place: options, context }, async (ledger) => {
      const status = await readStatus(ledger);
      return { exitCode: 0, json: status, text: statusText(status) };
    }),
});

async function readStatus({ client, stores, dataSource }: OpenLedger): Promise<Status> {
  const schedules = await stores.ledger.schedules();
  const [queues, instances, backfills, { deadLetters }, groups, { now }] = await Promise.all([
    client.queues(),
    client.instances(),
    client.listBackfills({ state: 'open', limit: MAX_ROWS }),
    stores.jobs.list(null, null),
    stores.deadLetters.groups({}),
    readServer(dataSource),
  ]);
  const alive = aliveAt(instances, now);
  return {
    now,
    schedules,
    queues,
    instances: instances.map((instance) => ({ ...instance, isAlive: alive.includes(instance) })),
    backfills: backfills.items,
    deadLetters: { ...deadLetters, groups: groups.items },
  };
}

function statusText({ now, schedules, queues, instances, backfills, deadLetters }: Status): string {
  return [
    `${instantText(now)} by the database's clock`,
    ...section('Schedules', schedules.length, schedulesTable(schedules, now)),
    ...section('Queues', queues.length, queuesTable(queues)),
    ...section('Instances', aliveText(instances), instancesTable(instances, now)),
    ...(backfills.length > 0 ? section('Backfills', backfills.length, backfillsTable(backfills)) : []),
    ...section('Dead letters', countText(deadLetters), deadLettersTable(deadLetters)),
  ].join('\n');
}

const section = (title: string, count: number | string, lines: readonly string[]): readonly string[] => {
  const left = lines.length - 1 - MAX_ROWS;
  return [
    '',
    `${title}: ${count}`,
    ...lines.slice(0, MAX_ROWS + 1).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … ${left} more`] : []),
  ];
};

function aliveText(instances: Status['instances']): string {
  const alive = instances.filter(({ isAlive }) => isAlive).length;
  const stopped = instances.filter(({ stoppedAt }) => stoppedAt !== null).length;
  const gone = instances.length - alive - stopped;
  if (alive === instances.length) return String(alive);
  return [`${alive} alive`, ...(stopped > 0 ? [`${stopped} stopped`] : []), ...(gone > 0 ? [`${gone} gone`] : [])].join(
    ', ',
  );
}

const countText = ({ count, capped }: CappedCount): string => (capped ? `${count} or more` : String(count));

const schedulesTable = (schedules: readonly ScheduleSummary[], now: Date): readonly string[] =>
  table(
    ['SCHEDULE', 'STATE', 'LAST PERIOD', 'NEXT', 'EXPRESSION', 'ZONE'],
    schedules
      .filter(({ renamedTo }) => renamedTo === null)
      .map((one) => [
        one.scheduleName,
        scheduleState(one, now),
        one.last?.period ?? '-',
        instantText(one.nextAt),
        one.expression,
        one.timeZone,
      ]),
  );

function scheduleState({ suspension, disabled, lastError, behindMs }: ScheduleSummary, now: Date): string {
  if (suspension !== null) return `${suspension.kind} ${spanText(now.getTime() - suspension.from.getTime())}`;
  if (disabled) return 'disabled';
  if (lastError !== null) return 'fails';
  return behindMs !== null && behindMs > BEHIND_MS ? `behind ${spanText(behindMs)}` : 'ok';
}

const queuesTable = (queues: readonly QueueView[]): readonly string[] =>
  table(
    ['QUEUE', 'STATE', 'READY', 'OLDEST', 'RUNNING', 'LIMITS'],
    queues.map((queue) => [
      queue.name,
      queueState(queue),
      String(queue.ready),
      queue.oldestReadyMs === null ? '-' : spanText(queue.oldestReadyMs),
      String(queue.running),
      [queue.concurrency === null ? '' : `${queue.concurrency} at a time`, queue.rate ?? '']
        .filter(Boolean)
        .join(', ') || '-',
    ]),
  );

function queueState({ pause, breaker }: QueueView): string {
  if (pause !== null) return 'paused';
  return breaker === null || breaker.state === 'closed' ? 'ok' : `breaker ${breaker.state}`;
}

const instancesTable = (instances: Status['instances'], now: Date): readonly string[] =>
  table(
    ['INSTANCE', 'ROLES', 'VERSION', 'DEFINITIONS', 'SEEN'],
    instances.map(({ instanceId, roles, version, definitionsDigest, seenAt, stoppedAt, isAlive }) => [
      instanceId,
      roles.join(', ') || '-',
      version,
      definitionsDigest,
      `${spanText(now.getTime() - seenAt.getTime())} ago${isAlive ? '' : `, ${stoppedAt === null ? 'gone' : 'stopped'}`}`,
    ]),
  );

const backfillsTable = (backfills: readonly Backfill[]): readonly string[] =>
  table(
    ['BACKFILL', 'JOB', 'FROM', 'TO', 'ORDER', 'ENDED', 'BY', 'REASON'],
    backfills.map(({ backfillId, jobName, from, to, order, actor, reason, ...counts }) => [
      backfillId,
      jobName,
      instantText(from),
      instantText(to),
      order,
      `${endedOf(counts)} of ${counts.inserted}`,
      actor ?? '-',
      reason ?? '-',
    ]),
  );

const deadLettersTable = ({ groups }: Status['deadLetters']): readonly string[] =>
  table(
    ['COUNT', 'ERROR', 'FINGERPRINT', 'JOBS', 'LAST', 'SUCH AS'],
    groups.map(({ count, errorClass, fingerprint, jobs, lastAt, exampleKey }) => [
      String(count),
      errorClass ?? '-',
      fingerprint ?? '-',
      jobs.join(', '),
      instantText(lastAt),
      exampleKey,
    ]),
  );
