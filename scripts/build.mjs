// Builds libraries and apps, in the order of their references; what is up to date is not built again.
//   node scripts/build.mjs [--clean]      --clean: also remove what files that are gone have left behind
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, withTree } from './ensure-install.mjs';
import { runIfStarted } from './entry.mjs';
import { runTool } from './tools.mjs';

/** What people start by name: the compiler leaves it as any other file. */
const PROGRAM = 'libs/scheduled-jobs/dist/cli/main.js';
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
    chmodSync(join(root, PROGRAM), 0o755);
  });
}

await runIfStarted(import.meta.url, () => build({ clean: process.argv.includes('--clean') }));
