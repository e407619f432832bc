// Rebuilds and restarts one API and one worker at each change of their sources or the libraries'.
//   npm run dev       PORT, DATABASE_URL and API_TOKEN as for the demo
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { build } from './build.mjs';
import { startOrderServer } from './demo/order-server.mjs';
import { root } from './ensure-install.mjs';
import { superviseFrom } from './supervisor.mjs';
import { toolPath } from './tools.mjs';

/** @param {import('./supervisor.mjs').Supervisor} supervisor */
async function startWatching(supervisor) {
  await build();
  const databaseUrl = process.env['DATABASE_URL'] ?? (await supervisor.startPostgres()).url;
  const { url: orderServerUrl } = await startOrderServer();
  const token = process.env['API_TOKEN'] ?? randomBytes(18).toString('base64url');
  console.log(
    `The API wants the header "Authorization: Bearer ${token}", the dashboard ?token=${token} in its address.`,
  );
  const env = { DATABASE_URL: databaseUrl, ORDER_SERVER_URL: orderServerUrl, API_TOKEN: token };
  const compiler = toolPath('typescript', 'tsc');
  supervisor.startProgram({
    name: 'The compiler',
    args: [compiler, '-b', '--watch', '--preserveWatchOutput'],
    env: {},
  });
  const watchApp = (/** @type {string} */ name, /** @type {string} */ port) => {
    // Node's watcher follows the imports, through the link to the library as well
    const args = ['--watch', '--watch-preserve-output', join(root, 'dist/apps', name, 'main.js')];
    supervisor.startProgram({ name: `The watcher of ${name}`, args, env: { ...env, PORT: port } });
  };
  watchApp('api', process.env['PORT'] ?? '3000');
  watchApp('worker', '0');
}

await superviseFrom(startWatching);
