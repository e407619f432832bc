import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findFreePorts } from './free-ports.mjs';

describe('findFreePorts', () => {
  it('passes over a port that somebody has on one address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [first, second] = await findFreePorts(String(port), 2);
    server.close();
    expect(first).toBeGreaterThan(port);
    expect(second).toBeGreaterThan(first!);
  });

  it('leaves the choice to the system when asked for 0', async () => {
    expect(await findFreePorts('0', 2)).toEqual([0, 0]);
  });

  it.each(['abc', '-1', '3000.5', '65536', ''])('refuses the port "%s"', async (wish) => {
    await expect(findFreePorts(wish, 1)).rejects.toThrow(`PORT must be a number from 0 to 65535; it is "${wish}".`);
  });

  it('says so when too few are left', async () => {
    await expect(findFreePorts('65535', 2)).rejects.toThrow('Fewer than 2 ports are free from 65535 upwards.');
  });
});
