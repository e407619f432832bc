import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/duration.js';
import type { ServerFacts } from '../../postgres/diagnosis/server-facts.js';
import type { TableFacts } from '../../postgres/diagnosis/table-facts.js';
import { spanText } from '../output/table.js';
import { ok, problem, warning, type Finding } from './finding.js';

const OLDEST_VERSION = 140_000;
const SKEW_MS = { warning: SECOND_MS, problem: 30 * SECOND_MS };
const SNAPSHOT_MS = { warning: 15 * MINUTE_MS, problem: HOUR_MS };
const USED_SHARE = { warning: 0.8, problem: 0.95 };
/** Fewer dead rows than that are nothing, whatever their share. */
const DEAD_ROWS = 10_000;
const DEAD_SHARE = 2;

/** Version and role of the server. */
export function serverFindings({ version, versionNumber, isStandby }: ServerFacts): readonly Finding[] {
  if (isStandby) {
    return [
      problem('server', 'This server only follows another one and refuses writes.', 'Connect to the primary server.'),
    ];
  }
  if (versionNumber < OLDEST_VERSION) {
    return [problem('server', `PostgreSQL ${version} is older than 14.`, 'Update the server: 14 to 18 are tested.')];
  }
  return [ok('server', `PostgreSQL ${version}.`)];
}

/** How far the clocks of this process and of the database are apart. */
export function clockFindings({ now, processNow, roundTripMs }: ServerFacts): readonly Finding[] {
  const skewMs = processNow.getTime() - now.getTime();
  // Half a round trip may hide as much.
  const sureMs = Math.max(0, Math.abs(skewMs) - roundTripMs / 2);
  const text = `The clock of this process is ${Math.abs(Math.round(skewMs))} ms ${skewMs < 0 ? 'behind' : 'ahead of'} that of the database (round trip ${roundTripMs} ms).`;
  if (sureMs < SKEW_MS.warning) return [ok('clock', text)];
  const advice =
    'The database decides what is due, so nothing runs twice; but times in logs and previews are off. Let both machines follow a time server.';
  return [sureMs < SKEW_MS.problem ? warning('clock', text, advice) : problem('clock', text, advice)];
}

/** What keeps vacuum from its work. */
export function snapshotFindings({
  oldest,
  prepared,
  oldestPreparedMs,
  hiddenSessions,
}: ServerFacts): readonly Finding[] {
  const hidden =
    hiddenSessions === 0 ? '' : ` This role may not look into ${hiddenSessions} session(s): grant it pg_monitor.`;
  const findings: Finding[] = [];
  if (oldest !== null && oldest.ageMs >= SNAPSHOT_MS.warning) {
    const name = oldest.application === '' ? 'without a name' : `"${oldest.application}"`;
    const text = `A transaction is open for ${spanText(oldest.ageMs)}: process ${oldest.pid} ${name}, ${oldest.state}. Vacuum keeps every row that was changed since, and claims become slow.`;
    const advice = `Let it end, or end it: select pg_terminate_backend(${oldest.pid}).`;
    findings.push(
      oldest.ageMs < SNAPSHOT_MS.problem ? warning('snapshot', text, advice) : problem('snapshot', text, advice),
    );
  }
  if (oldestPreparedMs !== null && oldestPreparedMs >= SNAPSHOT_MS.warning) {
    const text = `${prepared} prepared transaction(s) wait for their end, the oldest for ${spanText(oldestPreparedMs)}. Vacuum keeps every row that was changed since.`;
    findings.push(problem('snapshot', text, 'See pg_prepared_xacts, and commit or roll them back.'));
  }
  return findings.length > 0 ? findings : [ok('snapshot', `No transaction is open for long.${hidden}`)];
}

/** What the application needs of the server. */
export interface ConnectionNeeds {
  /** The most connections that the data source of one process opens. */
  readonly poolSize: number;
  /** Executions that a worker of it runs at the same time. */
  readonly concurrency: number;
}

/** A worker needs as many connections as it runs executions, one for renewals and one for claims. */
const OWN_CONNECTIONS = 2;

/** Whether there are connections enough. @param needs Null = no application was named. */
export function connectionFindings(
  { usedConnections: used, maxConnections: max }: ServerFacts,
  { needs, alive }: { readonly needs: ConnectionNeeds | null; readonly alive: number },
): readonly Finding[] {
  const share = used / max;
  const text = `${used} of ${max} connections are in use.`;
  const advice = 'Raise max_connections, make the pools smaller, or put a pooler between (see listenUrl).';
  const use =
    share < USED_SHARE.warning
      ? ok('connections', text)
      : share < USED_SHARE.problem
        ? warning('connections', text, advice)
        : problem('connections', text, advice);
  return needs === null ? [use] : [use, ...poolFindings(needs, max, alive)];
}

function poolFindings({ poolSize, concurrency }: ConnectionNeeds, max: number, alive: number): readonly Finding[] {
  const wanted = concurrency + OWN_CONNECTIONS;
  // One more in each process, to listen.
  const most = alive * (poolSize + 1);
  return [
    ...(poolSize >= wanted
      ? [ok('pool', `A pool of ${poolSize} does for a worker that runs ${concurrency} at a time.`)]
      : [
          warning(
            'pool',
            `A worker of this application runs ${concurrency} at a time and has a pool of ${poolSize}: handlers and renewals of leases may wait for one another.`,
            `Give TypeOrmModule.forRoot() "poolSize: ${wanted}" or more, or lower worker.concurrency.`,
          ),
        ]),
    ...(most > max
      ? [
          warning(
            'connections',
            `${alive} live process(es) with pools of ${poolSize} may open ${most} connections; there are ${max}.`,
            'Raise max_connections, run fewer processes, or make the pools smaller.',
          ),
        ]
      : []),
  ];
}

/** Tables with many more dead rows than live ones. */
export function tableFindings(tables: readonly TableFacts[], schema: string): readonly Finding[] {
  const bloated = tables.filter(({ live, dead }) => dead >= DEAD_ROWS && dead >= DEAD_SHARE * live);
  if (bloated.length === 0) {
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
    return [ok('tables', `${tables.length} tables, ${Math.ceil(bytes / 1_048_576)} MB; none holds many dead rows.`)];
  }
  return bloated.map(({ name, live, dead, vacuumedAt }) =>
    warning(
      'tables',
      `${name} holds ${dead} dead rows beside ${live} live ones, vacuumed ${vacuumedAt === null ? 'never' : vacuumedAt.toISOString()}.`,
      `See "snapshot"; then run: vacuum (analyze) "${schema}".${name}. If it comes back, autovacuum is too slow for this table.`,
    ),
  );
}
