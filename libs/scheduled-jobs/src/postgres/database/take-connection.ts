import type { DataSource, QueryRunner } from 'typeorm';

/** The part of the driver's clients that tells one that has not connected yet; each may be missing. */
interface PoolClient {
  readonly _connecting?: boolean;
  readonly connection?: { readonly stream?: { destroy?(): void } };
}

/** When a client was first seen connecting, by the monotonic clock. */
const connectingSinceMs = new WeakMap<PoolClient, number>();

/**
 * Takes a connection for a runner out of its pool, or makes one, and waits for that no longer than `withinMs`: a server may
 * take connections and stay silent, and most pools wait for ever. A connection that comes later goes back at once; the
 * runner is released then, and must not be used.
 * @param withinMs Milliseconds; 0 = for as long as the host application allows.
 */
export async function takeConnection(dataSource: DataSource, withinMs: number): Promise<QueryRunner> {
  const runner = dataSource.createQueryRunner('master');
  const taking: Promise<unknown> = runner.connect();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `The data source gave no connection within ${withinMs} ms.`;
    if (withinMs > 0) timer = setTimeout(() => reject(new Error(text)), withinMs);
  });
  try {
    await Promise.race([taking, late]);
    return runner;
  } catch (error) {
    void taking
      .catch(() => {})
      .then(() => runner.release())
      .catch(() => {});
    endStuckConnections(dataSource, withinMs);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Makes room in a pool whose clients have been connecting for too long, and would for ever. */
function endStuckConnections(dataSource: DataSource, afterMs: number): void {
  const { master } = dataSource.driver as { readonly master?: { readonly _clients?: readonly PoolClient[] } };
  const { _clients: clients = [] } = master ?? {};
  const nowMs = performance.now();
  for (const client of clients) {
    const { _connecting: isConnecting } = client;
    if (isConnecting !== true) continue;
    const sinceMs = connectingSinceMs.get(client) ?? nowMs;
    connectingSinceMs.set(client, sinceMs);
    if (nowMs - sinceMs >= afterMs) client.connection?.stream?.destroy?.();
  }
}
