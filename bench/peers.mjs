// The other job queues, and the Node that all sides run on: packages of their own, installed by the first comparison.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalledApart } from '../scripts/ensure-install.mjs';

const PACKAGES = fileURLToPath(new URL('./comparisons', import.meta.url));
/** What pg-boss asks for. */
const OLDEST_NODE = [22, 12];

/**
 * Installs the peers unless they are there.
 * @returns {Promise<string>} the Node that runs all sides
 * @throws when npm fails, or this is a platform without a Node in the npm registry and the Node at hand is too old
 */
export async function preparePeers() {
  await ensureInstalledApart(PACKAGES);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const node = join(PACKAGES, 'node_modules', `node-${platform}-${process.arch}`, program);
  if (existsSync(node)) return node;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return process.execPath;
  throw new Error(
    `The npm registry has no Node 24 for ${platform}-${process.arch}, and this is Node ${process.versions.node}. ` +
      `Run the comparison with Node ${OLDEST_NODE.join('.')} or newer, or with --ours.`,
  );
}
