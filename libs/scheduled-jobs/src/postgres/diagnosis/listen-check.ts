import { randomBytes } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import { listenerConnection } from '../listener-connection.js';
import { sendHintSql } from '../statements/send-hint.sql.js';

const CONNECT_MS = 5_000;
const ARRIVAL_MS = 2_000;

/** Whether hints reach a listener. */
export type Listening =
  | { readonly works: true; readonly tookMs: number }
  /** `error` null = it listened, and nothing arrived: a pooler stands between. */
  | { readonly works: false; readonly error: unknown };

/**
 * Sends a hint on a channel of its own and listens for it, as a worker does.
 * @param listenUrl Null = as the data source connects.
 * @param arriveWithinMs After that the hint does not come any more.
 * @throws StoreUnavailableError when the hint cannot be sent.
 */
export async function checkListening(
  dataSource: DataSource,
  listenUrl: string | null,
  arriveWithinMs = ARRIVAL_MS,
): Promise<Listening> {
  const channel = `doctor_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({
    ...listenerConnection(dataSource, listenUrl),
    application_name: 'scheduled-jobs doctor',
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // It is told by the statement that fails.
  const arrived = new Promise<void>((resolve) => client.once('notification', () => resolve()));
  try {
    await client.connect();
    await client.query(`listen "${channel}"`);
  } catch (error) {
    await client.end().catch(() => {});
    return { works: false, error };
  }
  try {
    const startedMs = performance.now();
    await new Database(dataSource).query('send a hint', sendHintSql(), [channel]);
    const late = rest(arriveWithinMs, 'late', { ref: false });
    const isLate = (await Promise.race([arrived, late])) === 'late';
    return isLate ? { works: false, error: null } : { works: true, tookMs: Math.round(performance.now() - startedMs) };
  } finally {
    await client.end().catch(() => {});
  }
}
