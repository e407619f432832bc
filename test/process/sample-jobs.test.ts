import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOrderServer, type OrderServer } from '../../scripts/demo/order-server.mjs';
import { startApp, type RunningApp } from '../support/apps.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const TOKEN = 'a-token-of-this-test';
const PATIENCE = { timeout: 30_000, interval: 50 };
const JOBS = {
  points: { cron: '*/2 * * * * *', lease: '2s' },
  'order-sync': { cron: '*/5 * * * * *' },
};

/** An account in the middle of the walk. */
const MIDDLE_ACCOUNT = 5_500;

describe('the sample jobs', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let orderServer: OrderServer;
  let api: RunningApp;
  let worker: RunningApp;

  const rows = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, [...values])).rows;

  const startWorker = () =>
    startApp('worker', {
      DATABASE_URL: database.url,
      ORDER_SERVER_URL: orderServer.url,
      SCHEDULER: 'off',
      POLL_INTERVAL: '200ms',
      PROBE_PORT: '0',
      JOB_OVERRIDES: JSON.stringify(JOBS),
    });

  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(response.ok, `${path} answered ${response.status}`).toBe(true);
    return response.json();
  };

  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    orderServer = await startOrderServer(['ok', 'tooMany', 'unavailable', 'slow']);
    api = await startApp('api', {
      DATABASE_URL: database.url,
      ORDER_SERVER_URL: orderServer.url,
      API_TOKEN: TOKEN,
      API_USER: 'ann',
      PORT: '0',
      JOB_OVERRIDES: JSON.stringify(JOBS),
    });
    worker = await startWorker();
  });

  afterAll(async () => {
    await Promise.all([api?.stop(), worker?.stop()]);
    orderServer?.stop();
    await client?.end();
    await database?.drop();
  });

  it('make one export of a project and version, however often it is asked for', async () => {
    const request = { projectId: 'apollo', version: 7 };
    const answers = await Promise.all([1, 2, 3].map(() => call('/exports', request) as Promise<EnqueueResult>));
    const [executionId, ...others] = new Set(answers.map(({ execution }) => execution?.executionId));
    expect(others).toEqual([]);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);

    for (const stage of ['rendering', 'uploading']) {
      await vi.waitFor(async () => {
        const [running] = await rows('select stage from scheduled_jobs.work where execution_id = $1', [executionId]);
        expect(running).toEqual({ stage });
      }, PATIENCE);
    }
    await vi.waitFor(async () => {
      const ended = await rows('select state from scheduled_jobs.outcomes where execution_id = $1', [executionId]);
      expect(ended).toEqual([{ state: 'succeeded' }]);
    }, PATIENCE);
    // now() is the start of a transaction: equal instants were written by one
    const stored = await rows(
      `select x.project_id, x.version, x.requested_at = e.created_at as "inOneTransaction",
         convert_from(substr(x.pdf, 1, 9), 'UTF8') as head
       from samples.exports x, scheduled_jobs.executions e
       where e.id = $1`,
      [executionId],
    );
    expect(stored).toEqual([{ project_id: 'apollo', version: 7, inOneTransaction: true, head: '%PDF-1.4\n' }]);
    expect(await call('/exports', request)).toMatchObject({ created: false, execution: { executionId } });
  });

  it('tell how they are: the API behind its token, the worker on a port of its own', async () => {
    const get = (port: number | undefined, path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    for (const probe of ['live', 'startup', 'ready']) {
      for (const { port } of [api, worker]) expect((await get(port, `/health/${probe}`)).status).toBe(200);
    }
    expect((await get(api.port, '/metrics')).status).toBe(401);
    const ofApi = await (await get(api.port, '/metrics', { authorization: `Bearer ${TOKEN}` })).text();
    expect(ofApi).toMatch(/^scheduled_jobs_enqueued_total\{job_name="export-pdf"\} [1-9]/m);
    const ofWorker = await (await get(worker.port, '/metrics')).text();
    expect(ofWorker).toMatch(/^scheduled_jobs_ended_total\{job_name="export-pdf",state="succeeded"\} 1$/m);
    expect(ofWorker).toMatch(/^scheduled_jobs_worker_slots 10$/m);
  });

  it('name in the audit who holds the token', async () => {
    for (const action of ['pause', 'resume']) {
      await call(`/scheduled-jobs/api/jobs/export-pdf/${action}`, { reason: 'a look at the pages' });
    }
    expect(await call('/scheduled-jobs/api/audit?limit=2')).toMatchObject({
      items: [
        { action: 'resume', subject: 'export-pdf', actor: 'ann', reason: 'a look at the pages' },
        { action: 'pause', actor: 'ann' },
      ],
    });
  });

  it('refuse an export without a project, and store nothing', async () => {
    const response = await fetch(`http://127.0.0.1:${api.port}/exports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 8 }),
    });
    expect(response.status).toBe(400);
    expect(await rows('select from samples.exports where version = 8')).toEqual([]);
  });

  it('write one report for each of the last seven business dates in Shanghai', async () => {
    await vi.waitFor(async () => {
      const [{ ended } = { ended: 0 }] = await rows<{ ended: number }>(`
        select count(*)::int as ended
        from scheduled_jobs.executions e join scheduled_jobs.outcomes o on o.execution_id = e.id
        where e.job_name = 'daily-report' and o.state = 'succeeded'`);
      expect(ended).toBe(7);
    }, PATIENCE);
    const reports = await rows(`
      select business_date::text as date, orders, amount_cents::int as cents
      from samples.daily_reports order by business_date`);
    const sold = await rows(`
      select (placed_at at time zone 'Asia/Shanghai')::date::text as date, count(*)::int as orders, sum(amount_cents)::int as cents
      from samples.orders
      where (placed_at at time zone 'Asia/Shanghai')::date
        between (now() at time zone 'Asia/Shanghai')::date - 7 and (now() at time zone 'Asia/Shanghai')::date - 1
      group by 1 order by 1`);
    expect(sold).toHaveLength(7);
    expect(reports).toEqual(sold);
  });

  it('sync the orders of each period from a server that answers late, not now, or not at all', async () => {
    const hardest = await vi.waitFor(async () => {
      const [found] = await rows<{ key: string; outcomes: string[] }>(`
        select e.key, array_agg(a.outcome order by a.lease_token) as outcomes
        from scheduled_jobs.executions e
        join scheduled_jobs.outcomes o on o.execution_id = e.id
        join scheduled_jobs.attempts a on a.execution_id = e.id
        where e.job_name = 'order-sync' and o.state = 'succeeded'
        group by e.key
        having count(*) = 4`);
      expect(found).toBeDefined();
      return found;
    }, PATIENCE);
    expect(hardest?.outcomes).toEqual(['deferred', 'failed', 'failed', 'succeeded']);
    const calls = orderServer.answered.filter(({ idempotencyKey }) => idempotencyKey === hardest?.key);
    expect(calls.map(({ behaviour }) => behaviour)).toEqual(['tooMany', 'unavailable', 'slow', 'ok']);
  });

  it('give each account its points once per period, although a worker is killed in the middle of one', async () => {
    // a period stands still in its sixth chunk, and its worker dies there
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select points from samples.accounts where id = $1 for update', [MIDDLE_ACCOUNT]);
    const halfDone = await vi.waitFor(async () => {
      const [found] = await rows<{ id: string }>(`
        select c.execution_id as id
        from scheduled_jobs.checkpoints c join scheduled_jobs.work w using (execution_id)
        where w.phase = 'leased' and (c.after_key #>> '{}')::int = 5000
          and exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`);
      expect(found).toBeDefined();
      return found;
    }, PATIENCE);
    await worker.stop('SIGKILL');
    await holder.end();
    worker = await startWorker();

    await vi.waitFor(async () => {
      const [outcome] = await rows(
        `select state, lost_leases > 0 as "wasTakenOver", processed::int
         from scheduled_jobs.outcomes where execution_id = $1`,
        [halfDone?.id],
      );
      expect(outcome).toEqual({ state: 'succeeded', wasTakenOver: true, processed: 10_000 });
    }, PATIENCE);
    api.process.send('stopTicking');
    await vi.waitFor(async () => {
      expect(await call('/points/balance')).toMatchObject({ accounts: 10_000, openPeriods: 0, isExact: true });
    }, PATIENCE);
  });
});

interface EnqueueResult {
  readonly created: boolean;
  readonly execution: { readonly executionId: string } | null;
}
