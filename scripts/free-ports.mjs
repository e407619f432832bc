import { once } from 'node:events';
import { createServer } from 'node:net';

const LAST_PORT = 65_535;

/**
 * The next free ports, from the first wish upwards; 0 leaves the choice to the system.
 * @param {string} wish as the user wrote it
 * @param {number} count
 * @throws when the wish is no port number, or too few are free
 */
export async function findFreePorts(wish, count) {
  const first = Number(wish);
  if (!/^\d+$/.test(wish) || first > LAST_PORT)
    throw new Error(`PORT must be a number from 0 to ${LAST_PORT}; it is "${wish}".`);
  const ports = first === 0 ? Array.from({ length: count }, () => 0) : [];
  for (let port = first; ports.length < count; port++) {
    if (port > LAST_PORT) throw new Error(`Fewer than ${count} ports are free from ${first} upwards.`);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/**
 * A port of the loopback interface that the system chooses and nobody has taken yet.
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer();
  try {
    server.listen(port); // on all addresses: it fails also if one of them has it taken
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
