import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrderServer, type OrderServer } from '../../scripts/demo/order-server.mjs';
import { startApp, type RunningApp } from '../support/apps.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const TOKEN = 'a-token-of-this-test';
const ROUNDS = 15;
const DAY_MS = 86_400_000;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

let database: TestDatabase;
let client: pg.Client;
let orderServer: OrderServer;
let apis: readonly RunningApp[];

beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  orderServer = await startOrderServer();
  const env = {
    DATABASE_URL: database.url,
    ORDER_SERVER_URL: orderServer.url,
    API_TOKEN: TOKEN,
    PORT: '0',
    SCHEDULER: 'off',
  };
  apis = await Promise.all([startApp('api', env), startApp('api', env)]);
});
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.stop()));
  orderServer?.stop();
  await client?.end();
  await database?.drop();
});

async function send(api: RunningApp, path: string, key: string, body: object): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${api.port}/scheduled-jobs/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const count = async (text: string): Promise<number> =>
  Number((await client.query<{ count: string }>(`select count(*) from scheduled_jobs.${text}`)).rows[0]?.count);

/** The same request to both at once, several times: one effect, one answer, and nothing but a clear refusal beside it. */
async function race(path: string, key: string, body: object): Promise<void> {
  const answers = await Promise.all([...apis, ...apis].map((api) => send(api, path, key, body)));
  const done = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(
    refused.map(() => [409, 'JOBS_REQUEST_IN_PROGRESS']),
  );
  for (const api of apis) done.push(await send(api, path, key, body));
  expect(done.map((answer) => answer.body)).toEqual(done.map(() => done[0]?.body));
}

describe('a request that reaches two API processes at the same moment', () => {
  it('is done once by its key, whatever it asks for', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const reason = `round ${round}`;
      await race('/jobs/export-pdf/trigger', `trigger-${round}`, {
        reason,
        payload: { projectId: 'apollo', version: round + 1 },
      });
      await race(`/queues/exports/${round % 2 === 0 ? 'pause' : 'resume'}`, `queue-${round}`, { reason });
      const from = new Date(Date.now() - 12 * DAY_MS).toISOString();
      await race('/jobs/daily-report/backfill', `backfill-${round}`, {
        reason,
        from,
        to: new Date(Date.now() - 60_000 * (round + 1)).toISOString(),
      });
    }
    expect(await count("executions where trigger = 'trigger'")).toBe(ROUNDS);
    for (const action of ['trigger', 'backfill']) {
      expect(await count(`audit where action = '${action}'`)).toBe(ROUNDS);
    }
    expect(await count("audit where action in ('pause-queue', 'resume-queue')")).toBe(ROUNDS);
    expect(await count('backfills')).toBe(ROUNDS);
  });
});
