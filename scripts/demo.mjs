// Shows the whole: two API and two worker processes do the sample jobs on one PostgreSQL.
// `npm run demo -- --help` lists its options.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { startOrderServer } from './demo/order-server.mjs';
import { root } from './ensure-install.mjs';
import { findFreePorts } from './free-ports.mjs';
import { localUser } from './local-user.mjs';
import { acquireLock, LockHeldError } from './lock.mjs';
import { defaultDirectory, ensureDirectory } from './postgres/data-folder.mjs';
import { superviseFrom } from './supervisor.mjs';

const HELP = `npm run demo -- [--for TIME] [--fresh]

  --for TIME     run that long, such as 40s or 5m; then the ticking stops, and a table shows whether every period ended
                 well once. Default: until it is stopped
  --fresh        throw away the database of earlier starts
  --help         show this

Environment:
  PORT           the first API's port, default 3000; the second API takes the next one; ports that are taken are passed over
  DATABASE_URL   a PostgreSQL of your own instead of the one that the demo starts
  API_TOKEN      what requests must carry, at least 16 characters; default a new one for each start`;
const SIGHTS = ' One export has failed, others wait for their queue: look why.';
const FIRST_SIGHTS = `${SIGHTS}
One job is paused, and reports were left out, of which some are made now: see who did that and why.`;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 };

/** @typedef {import('./supervisor.mjs').Supervisor} Supervisor */

/** @param {Supervisor} supervisor */
async function startDemo(supervisor) {
  const { help, fresh, runMs } = readOptions();
  if (help) {
    console.log(HELP);
    return supervisor.stop('nothing was asked for');
  }
  const ports = await findFreePorts(process.env['PORT'] ?? '3000', 2);
  console.log('Building what is not up to date …');
  await build();
  const databaseUrl = process.env['DATABASE_URL'] ?? (await startDatabase(supervisor, fresh));
  // from here on there are dependencies to import
  const { DemoSession } = await import('./demo/session.mjs');
  const session = await DemoSession.open(databaseUrl);
  const token = process.env['API_TOKEN'] ?? randomBytes(18).toString('base64url');
  console.log('Starting two API and two worker processes …');
  const urls = await startApps(supervisor, { ports, databaseUrl, token });
  introduce(urls, token, runMs === null ? (session.isFirst ? FIRST_SIGHTS : SIGHTS) : '');
  session.showProgress();
  if (runMs === null) await session.leaveSights({ urls, token });
  else void judge(supervisor, () => session.judge(supervisor, { urls, token, runMs }));
}

/** @returns {{ readonly help: boolean, readonly fresh: boolean, readonly runMs: number | null }} null = until it is stopped */
function readOptions() {
  const {
    help,
    fresh,
    for: time,
  } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      fresh: { type: 'boolean', default: false },
      for: { type: 'string' },
    },
  }).values;
  if (fresh && process.env['DATABASE_URL'] !== undefined) {
    throw new Error('--fresh empties the database that the demo starts by itself; DATABASE_URL names another.');
  }
  return { help, fresh, runMs: time === undefined ? null : readTime(time) };
}

/** @param {string} time */
function readTime(time) {
  const [, amount, unit] = /^(\d+)([smh])$/.exec(time) ?? [];
  if (amount === undefined) throw new Error(`--for must be a time such as 40s or 5m; it is "${time}".`);
  return Number(amount) * UNIT_MS[/** @type {keyof typeof UNIT_MS} */ (unit)];
}

/**
 * @param {Supervisor} supervisor
 * @param {boolean} fresh
 */
async function startDatabase(supervisor, fresh) {
  const directory = defaultDirectory();
  ensureDirectory(directory);
  await refuseSecondDemo(directory);
  console.log('Starting PostgreSQL …');
  const { url, pid } = await supervisor.startPostgres({ directory, fresh });
  console.log(`PostgreSQL is up (process ${pid}). Its database is kept in ${directory}; --fresh starts anew.`);
  return url;
}

/**
 * A second demo of the same checkout would take the first one's database away.
 * @param {string} directory
 */
async function refuseSecondDemo(directory) {
  try {
    process.once('exit', await acquireLock(join(directory, 'launcher.pid')));
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new Error(
      `The demo already runs (process ${error.holder}). End it with Ctrl-C in its terminal, or with: kill ${error.holder}`,
      { cause: error },
    );
  }
}

/**
 * @param {Supervisor} supervisor
 * @param {{ readonly ports: readonly number[], readonly databaseUrl: string, readonly token: string }} settings
 * @returns {Promise<readonly string[]>} where the APIs answer
 */
async function startApps(supervisor, { ports, databaseUrl, token }) {
  const orderServer = await startOrderServer();
  const env = {
    DATABASE_URL: databaseUrl,
    ORDER_SERVER_URL: orderServer.url,
    API_TOKEN: token,
    API_USER: localUser(),
    LOG_LEVEL: 'error',
  };
  const start = (/** @type {string} */ name, /** @type {string} */ app, /** @type {Record<string, string>} */ own) =>
    supervisor.startApp({ name, args: [join(root, 'dist/apps', app, 'main.js')], env: { ...env, ...own } });
  const [apis] = await Promise.all([
    Promise.all(ports.map((port, index) => start(`API ${index + 1}`, 'api', { PORT: String(port) }))),
    // a handler that is still running when the demo stops has less time than the demo itself
    ...[1, 2].map((number) => start(`worker ${number}`, 'worker', { SHUTDOWN_TIMEOUT: '4s' })),
  ]);
  return apis.map(({ port }) => `http://127.0.0.1:${port}`);
}

/**
 * @param {readonly string[]} urls
 * @param {string} token
 * @param {string} more what else there is to say of the dashboard
 */
function introduce([first = '', second = ''], token, more) {
  const curl = `curl -s -H 'Authorization: Bearer ${token}'`;
  console.log(`READY ${first}/scheduled-jobs/api`);
  console.log(`READY ${first}/scheduled-jobs/?token=${token}`);
  console.log(`
The last address is the dashboard's: open it in a browser. It signs you in.${more}
The second API: ${second}/scheduled-jobs/api
The token:      ${token}
Try:
  ${curl} '${first}/scheduled-jobs/api/executions?limit=5'
  ${curl} ${first}/scheduled-jobs/api/schedules
  ${curl} -H 'Content-Type: application/json' -d '{"projectId":"apollo","version":1}' ${second}/exports
Ctrl-C stops everything.
`);
}

/**
 * @param {Supervisor} supervisor
 * @param {() => Promise<boolean>} run true = all is well
 */
async function judge(supervisor, run) {
  let isProven = false;
  process.once('exit', (exitCode) => {
    if (exitCode === 0 && !isProven) process.exitCode = 1; // stopped before the end: nothing is proven
  });
  try {
    isProven = await run();
    void supervisor.stop('the time is over', isProven ? 0 : 1);
  } catch (error) {
    if (supervisor.isStopping) return;
    console.error(error instanceof Error ? error.message : error);
    void supervisor.stop('it could not be judged', 1);
  }
}

await superviseFrom(startDemo);
