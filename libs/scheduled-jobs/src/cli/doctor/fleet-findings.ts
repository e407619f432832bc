import { MINUTE_MS } from '../../core/duration.js';
import type { Instance } from '../../core/ports/instance-store.js';
import { spanText } from '../output/table.js';
import { counted, listed, ok, problem, warning, type Finding } from './finding.js';

/** A process says about every 30 s that it is alive. */
const SEEN_WITHIN_MS = 2 * MINUTE_MS;

/** The processes that live, at `now` by the database's clock. */
export const aliveAt = (instances: readonly Instance[], now: Date): readonly Instance[] =>
  instances.filter(({ seenAt, stoppedAt }) => stoppedAt === null && now.getTime() - seenAt.getTime() < SEEN_WITHIN_MS);

/** What the processes are judged by beside themselves. */
export interface FleetContext {
  readonly now: Date;
  /** There are schedules that somebody should tick. */
  readonly hasSchedules: boolean;
  /** Executions that could run now. */
  readonly ready: number;
  /** The definitions of the application that this command has loaded; null = it has none. */
  readonly ownDigest: string | null;
}

/** Who is there, and whether all are of one mind. */
export function fleetFindings(instances: readonly Instance[], context: FleetContext): readonly Finding[] {
  const alive = aliveAt(instances, context.now);
  return [
    ...presence(instances, alive, context),
    ...differing(
      alive,
      'version',
      ({ version }) => version,
      'A deploy is going on, or a process was left behind: update it.',
    ),
    ...differing(
      alive,
      'definitions',
      ({ definitionsDigest }) => definitionsDigest,
      'A deploy is going on, or applications have other expressions, zones or options of the same jobs: give all of them the same modules and "jobs".',
    ),
    ...differing(
      alive,
      'zones',
      ({ zoneData }) => zoneData ?? 'unknown',
      'They compute periods by other rules of time zones: run the same Node.js everywhere.',
    ),
    ...own(alive, context),
  ];
}

function presence(
  instances: readonly Instance[],
  alive: readonly Instance[],
  { now, hasSchedules, ready }: FleetContext,
): readonly Finding[] {
  const of = (role: Instance['roles'][number]): number => alive.filter(({ roles }) => roles.includes(role)).length;
  const last = instances[0];
  const seen =
    last === undefined
      ? 'None was seen within the last day.'
      : `The last one was seen ${spanText(now.getTime() - last.seenAt.getTime())} ago.`;
  const findings: Finding[] = [];
  if (of('worker') === 0) {
    const advice = 'Start a worker: runWorker(AppModule), or an HTTP application with "worker: true".';
    findings.push(
      ready > 0
        ? problem('workers', `No worker is alive, and ${ready} execution(s) could run. ${seen}`, advice)
        : warning('workers', `No worker is alive. ${seen}`, advice),
    );
  }
  if (of('scheduler') === 0 && hasSchedules) {
    findings.push(
      warning(
        'schedulers',
        `No process that lives ticks. ${seen}`,
        'Start one with "scheduler: true" (the default), or run "tick" by a timer; then this is meant.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [
    ok(
      'instances',
      `${alive.length} process(es) are alive: ${of('worker')} worker(s), ${of('scheduler')} scheduler(s).`,
    ),
  ];
}

function differing(
  alive: readonly Instance[],
  check: string,
  valueOf: (instance: Instance) => string,
  advice: string,
): readonly Finding[] {
  const values = counted(alive.map(valueOf));
  if (values.length < 2) return [];
  const fewest = values.at(-1)?.[0];
  const odd = alive.filter((instance) => valueOf(instance) === fewest).map(({ instanceId }) => instanceId);
  const text = `Live processes differ: ${listed(values.map(([value, count]) => `${value} (${count})`))}. The fewest: ${listed(odd, 3)}.`;
  return [warning(check, text, advice)];
}

function own(alive: readonly Instance[], { ownDigest }: FleetContext): readonly Finding[] {
  if (ownDigest === null || alive.length === 0) return [];
  if (alive.some(({ definitionsDigest }) => definitionsDigest === ownDigest)) return [];
  return [
    warning(
      'definitions',
      'No live process has the definitions of the application that this command has loaded.',
      'Use the build that is deployed, before you trigger or backfill with it.',
    ),
  ];
}
