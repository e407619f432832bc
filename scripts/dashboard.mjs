// Builds the dashboard into the library's dist, unless that is what its sources would give.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure-install.mjs';
import { runTool } from './tools.mjs';

const FOLDER = join(root, 'libs/dashboard');
const CONFIG = join(FOLDER, 'vite.config.ts');
const PAGE = join(root, 'libs/scheduled-jobs/dist/dashboard/index.html');
/** What the page was built from. Not beside it: that folder is published. */
const STAMP = join(root, 'dist/dashboard.stamp');

/**
 * Needs the packages to be installed.
 * @throws when it does not build or its scripts are too large; the bundler has said why
 */
export async function buildDashboard() {
  const stamp = digestOfSources();
  if (existsSync(PAGE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  const args = ['build', '--config', CONFIG, '--logLevel', 'warn'];
  const { exitCode } = await runTool('vite', args, { show: true });
  if (exitCode !== 0) throw new Error('The build of the dashboard failed.');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(STAMP, stamp);
}

/**
 * Builds it anew at each change of its sources, for as long as this process lives.
 * @param {() => void} onBuilt called after each build, the first one too
 */
export async function watchDashboard(onBuilt) {
  // what the watcher makes has no stamp: the next build of everything makes it once more
  rmSync(STAMP, { force: true });
  const { build } = await import('vite');
  const watcher = await build({ configFile: CONFIG, logLevel: 'warn', build: { watch: {} } });
  if (!('on' in watcher)) throw new Error('The bundler does not watch.');
  watcher.on('event', (event) => {
    if (event.code === 'END') onBuilt();
    if (event.code === 'ERROR') console.error(event.error.message);
  });
}

/** All files of its folder, and the versions of all packages. */
function digestOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) hash.update(path).update(readFileSync(path));
  return hash.digest('hex');
}
