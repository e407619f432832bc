// Rebuilds and restarts one API and one worker at each change of their sources or the libraries'; the dashboard too, which the API
// reads when it starts.
//   npm run dev       PORT, DATABASE_URL and API_TOKEN as for the demo
import { randomBytes } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { watchDashboard } from './dashboard.mjs';
import { startOrderServer } from './demo/order-server.mjs';
import { root } from './ensure-install.mjs';
import { localUser } from './local-user.mjs';
import { superviseFrom } from './supervisor.mjs';
import { toolPath } from './tools.mjs';

/** @param {import('./supervisor.mjs').Supervisor} supervisor */
async function startWatching(supervisor) {
  await build();
  const databaseUrl = process.env['DATABASE_URL'] ?? (await supervisor.startPostgres()).url;
  const { url: orderServerUrl } = await startOrderServer();
  const token = process.env['API_TOKEN'] ?? randomBytes(18).toString('base64url');
  const port = process.env['PORT'] ?? '3000';
  console.log(`The API wants the header "Authorization: Bearer ${token}".`);
  console.log(`The dashboard: http://127.0.0.1:${port}/scheduled-jobs/?token=${token}`);
  const env = { DATABASE_URL: databaseUrl, ORDER_SERVER_URL: orderServerUrl, API_TOKEN: token, API_USER: localUser() };
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
  watchApp('api', port);
  watchApp('worker', '0');
  let isFirst = true;
  await watchDashboard(() => {
    const now = new Date();
    if (!isFirst) utimesSync(join(root, 'dist/apps/api/main.js'), now, now); // its watcher starts it anew
    isFirst = false;
  });
}

await superviseFrom(startWatching);
