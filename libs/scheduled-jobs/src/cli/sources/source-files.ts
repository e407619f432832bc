import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UsageError } from '../arguments/usage-error.js';

const SOURCE = /\.[cm]?[jt]sx?$/;
const NOT_RUN = /\.d\.[cm]?ts$|[.-](?:spec|test)\.[cm]?[jt]sx?$/;
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', '__tests__']);

/**
 * The sources of a service below a folder, in order; without tests, declarations, what is built, hidden folders, and links,
 * which may lead nowhere or round in circles.
 * @throws UsageError when there is no such folder, or no source in it.
 */
export function sourceFiles(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${folder}. Give that of the sources, such as src.`);
  }
  const found = filesBelow(folder);
  if (found.length === 0) throw new UsageError(`There is no source in ${folder}.`);
  return found.map((path) => relative(folder, path)).toSorted();
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path);
    return entry.isFile() && SOURCE.test(entry.name) && !NOT_RUN.test(entry.name) ? [path] : [];
  });
}
