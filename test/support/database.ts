import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { ServerUrls } from './postgres-server.js';

export interface TestDatabase {
  readonly url: string;
  /** Also ends whatever is still connected. */
  drop(): Promise<void>;
}

/** An empty database for the calling test file alone. */
export async function createDatabase(server: keyof ServerUrls = 'databaseUrl'): Promise<TestDatabase> {
  const serverUrl = inject(server);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, `create database ${name} template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
