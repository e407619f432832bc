// Takes one guarding line away after the other and expects its test to go red: a test that stays green proves nothing.
// Works on a copy of the tree, with one PostgreSQL for all runs. The last line is `N passed, N failed`.
//   npm run test:guards [-- text]   only guards whose promise or file contains the text
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from '../../scripts/ensure-install.mjs';
import { GUARDS, pathOf } from './guards.mjs';
import { launchPostgres } from '../../scripts/postgres/launch.mjs';
import { runProgram } from '../../scripts/run-program.mjs';
import { toolPath } from '../../scripts/tools.mjs';

const TREE = ['docs', 'libs', 'scripts', 'test', 'package.json', 'tsconfig.base.json', 'vitest.config.ts'];

await ensureInstalled();
const only = process.argv[2] ?? '';
const copy = mkdtempSync(join(realpathSync(tmpdir()), 'scheduled-jobs-guards-'));
const postgres = await launchPostgres({ directory: `${copy}-postgres`, temporary: true });
let failed = 0;
let passed = 0;
try {
  copyTree();
  process.env['TEST_DATABASE_URL'] = postgres.url;
  for (const guard of GUARDS.filter((each) => `${each.promise} ${pathOf(each)}`.includes(only))) {
    const problem = await problemWith(guard);
    if (problem === null) passed += 1;
    else failed += 1;
    console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${guard.promise}${problem === null ? '' : `: ${problem}`}`);
  }
} finally {
  await postgres.stop();
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);

function copyTree() {
  for (const name of TREE) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/[\\/](?:node_modules|dist)(?:[\\/]|$)/.test(path.slice(root.length)),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/**
 * Null = the test is green with the line and red without it.
 * @param {import('./guards.mjs').Guard} guard
 * @returns {Promise<string | null>}
 */
async function problemWith(guard) {
  const path = join(copy, pathOf(guard));
  const text = readFileSync(path, 'utf8');
  const places = text.split(guard.line).length - 1;
  if (places === 0 || (places > 1 && guard.everywhere !== true)) return `the line stands in ${places} places`;
  if (!(await isGreen(guard))) return 'the test is red as it is';
  writeFileSync(
    path,
    text.replaceAll(guard.line, () => guard.instead ?? ''),
  );
  try {
    return (await isGreen(guard)) ? 'the test stays green without the line' : null;
  } finally {
    writeFileSync(path, text);
  }
}

/** @param {import('./guards.mjs').Guard} guard */
async function isGreen({ test, name }) {
  if (test.startsWith('test/browser/') && !(await buildDashboard())) return false;
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const args = ['run', test, '-t', pattern, '--passWithNoTests=false'];
  const { exitCode, output } = await runProgram([process.execPath, toolPath('vitest'), ...args], { cwd: copy });
  return exitCode === 0 && /Tests\s+\d+ passed/.test(output);
}

/** Browsers show the page as it is built. */
async function buildDashboard() {
  const args = ['build', '--config', join(copy, 'libs/dashboard/vite.config.ts'), '--logLevel', 'warn'];
  const { exitCode } = await runProgram([process.execPath, toolPath('vite'), ...args], { cwd: copy });
  return exitCode === 0;
}
