// Checks our own rules in all sources: node scripts/check-source.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure-install.mjs';
import { faultsOf, lineCount, LINES_AIMED_AT } from './source-rules.mjs';

const ROOTS = ['apps', 'bench', 'libs', 'scripts', 'test'];
const SOURCE = /\.(?:[cm]?[jt]s|tsx)$/;
const NOT_OURS = new Set(['dist', 'node_modules']);

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : sourcesBelow(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

const files = ROOTS.flatMap(sourcesBelow).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
for (const { path, text } of files) {
  const lines = lineCount(text);
  if (lines > LINES_AIMED_AT) console.log(`note: ${path} has ${lines} lines; the aim is ${LINES_AIMED_AT}`);
}
const faults = files.flatMap(faultsOf);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
