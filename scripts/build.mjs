// Builds libraries and apps, in the order of their references, and the dashboard; what is up to date is not built again.
//   node scripts/build.mjs [--clean]      --clean: also remove what files that are gone have left behind
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDashboard } from './dashboard.mjs';
import { ensureInstalled, root, withTree } from './ensure-install.mjs';
import { runIfStarted } from './entry.mjs';
import { runTool } from './tools.mjs';

const OUTPUTS = ['dist', 'libs/scheduled-jobs/dist', 'libs/sample-jobs/dist'];

/**
 * Installs what is missing and builds.
 * @param {{ readonly clean?: boolean }} [options]
 * @throws when a file does not compile; the compiler has said why
 */
export async function build({ clean = false } = {}) {
  await ensureInstalled();
  await withTree(async () => {
    if (clean) for (const output of OUTPUTS) rmSync(join(root, output), { recursive: true, force: true });
    const { exitCode } = await runTool('typescript', ['-b'], { command: 'tsc', show: true });
    if (exitCode !== 0) throw new Error('The build failed.');
    await buildDashboard();
  });
}

await runIfStarted(import.meta.url, () => build({ clean: process.argv.includes('--clean') }));
