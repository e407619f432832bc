import type { Stores } from '../../postgres/create-stores.js';
import { poolSizeOf } from '../../postgres/database/pool-size.js';
import { checkListening } from '../../postgres/diagnosis/listen-check.js';
import { findSchemaDrift } from '../../postgres/diagnosis/schema-drift.js';
import { readServer, type ServerFacts } from '../../postgres/diagnosis/server-facts.js';
import { readTables } from '../../postgres/diagnosis/table-facts.js';
import { SCHEMA_VERSION } from '../../postgres/migrations/ledger-migrations.js';
import { readSchemaVersion, schemaProblem } from '../../postgres/schema-version.js';
import { definitionsDigest } from '../../nest/jobs/definitions-digest.js';
import { failureText } from '../output/failure-text.js';
import type { OpenLedger } from '../application/open-ledger.js';
import type { Progress } from '../output/progress.js';
import { ok, problem, warning, type Finding } from './finding.js';
import { aliveAt, fleetFindings } from './fleet-findings.js';
import { driftFindings } from './schema-findings.js';
import {
  clockFindings,
  connectionFindings,
  serverFindings,
  snapshotFindings,
  tableFindings,
} from './server-findings.js';
import { deadLetterFindings, jobFindings, queueFindings, scheduleFindings } from './standing-findings.js';

type Check = readonly [name: string, look: () => Promise<readonly Finding[]> | readonly Finding[]];

/**
 * Looks at everything that a ledger stands on. A look that fails is a finding, and the others go on.
 * @throws StoreUnavailableError when the database cannot be reached.
 */
export async function examine(ledger: OpenLedger, progress: Progress): Promise<readonly Finding[]> {
  const { dataSource, options } = ledger;
  const { schema } = options;
  const server = await readServer(dataSource);
  const version = await readSchemaVersion(dataSource, { schema });
  const misfit = schemaProblem(schema, version, SCHEMA_VERSION);
  const checks: readonly Check[] = [
    ['server', () => serverFindings(server)],
    ['clock', () => clockFindings(server)],
    ['snapshot', () => snapshotFindings(server)],
    ['listen', () => listenFindings(ledger)],
    ...(misfit === null ? checksOfLedger(ledger, server) : []),
  ];
  const findings: Finding[] =
    misfit === null
      ? []
      : [problem('schema', misfit, 'Run "migrate", or update the package where the tables are newer.')];
  for (const [done, [name, look]] of checks.entries()) {
    progress.show({ text: 'looks', done, total: checks.length });
    findings.push(...(await looked(name, look)));
  }
  return findings;
}

async function looked(name: string, look: Check[1]): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [
      problem(name, `It could not be looked at: ${failureText(error)}`, 'See the error; the other findings stand.'),
    ];
  }
}

function checksOfLedger(ledger: OpenLedger, server: ServerFacts): readonly Check[] {
  const { dataSource, options, stores, client, catalog, isApplication } = ledger;
  const { schema, concurrency } = options;
  const needs = isApplication ? { poolSize: poolSizeOf(dataSource), concurrency } : null;
  const { now } = server;
  return [
    ['schema', async () => driftFindings(await findSchemaDrift(dataSource, schema), SCHEMA_VERSION)],
    ['tables', async () => tableFindings(await readTables(dataSource, schema), schema)],
    [
      'connections',
      async () => connectionFindings(server, { needs, alive: aliveAt(await client.instances(), now).length }),
    ],
    [
      'instances',
      async () =>
        fleetFindings(await client.instances(), {
          now,
          hasSchedules: (await stores.ledger.schedules()).length > 0,
          ready: (await client.queues()).reduce((sum, { ready }) => sum + ready, 0),
          ownDigest: isApplication ? definitionsDigest(catalog.definitions()) : null,
        }),
    ],
    ['schedules', async () => scheduleFindings(await stores.ledger.schedules())],
    ['queues', async () => queueFindings(await client.queues(), now)],
    ['jobs', () => jobsAndFailures(stores, now)],
  ];
}

async function jobsAndFailures(stores: Stores, now: Date): Promise<readonly Finding[]> {
  const { jobs, deadLetters } = await stores.jobs.list(null, null);
  return [...jobFindings(jobs, now), ...deadLetterFindings(deadLetters)];
}

async function listenFindings({ dataSource, options }: OpenLedger): Promise<readonly Finding[]> {
  const { listenUrl } = options;
  if (listenUrl === false) return [ok('listen', 'Workers poll only, as the module says.')];
  const listening = await checkListening(dataSource, listenUrl);
  if (listening.works) return [ok('listen', `A hint arrives within ${listening.tookMs} ms.`)];
  const advice = 'Work is found by polling, later. Let "listenUrl" lead to the server itself, or set it to false.';
  return [
    warning(
      'listen',
      listening.error === null
        ? 'A hint was sent and did not arrive: a pooler in transaction mode stands between.'
        : `Nobody can listen there: ${failureText(listening.error)}.`,
      advice,
    ),
  ];
}
