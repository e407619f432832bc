// A database of its own for one repetition, and what is to be asked of its server.
import pg from 'pg';

const SCHEMA = 'scheduled_jobs';
const LOOK_AGAIN_MS = 5;
const PATIENCE_MS = 10 * 60_000;

/** Is there still something that no side has recorded as done? */
const UNFINISHED = {
  ours: `select exists (select 1 from ${SCHEMA}.work) as left`,
  'graphile-worker': 'select exists (select 1 from graphile_worker._private_jobs) as left',
  'pg-boss': `select exists (select 1 from pgboss.job where state < 'completed') as left`,
};

/** Executions that ended long ago, with all that the ledger keeps of them. */
const FINISHED_ROWS = `
with old as (
  insert into ${SCHEMA}.executions (key, job_name, queue, priority, scheduled_for, max_attempts, payload, trigger, created_at)
  select 'noop:old-' || g, 'noop', 'default', 0, at, 4, '{"i":1,"userId":12345,"kind":"email.welcome","to":"someone@example.com"}', 'enqueue', at
  from generate_series($1::int, $2::int) g, lateral (select now() - interval '1 second' * g as at) a
  returning id, key, created_at
),
known as (
  insert into ${SCHEMA}.keys (key_hash, execution_id) select substring(sha256(convert_to(key, 'UTF8')) for 16), id from old
),
tried as (
  insert into ${SCHEMA}.attempts (execution_id, lease_token, attempt, worker_id, started_at, finished_at, outcome)
  select id, 1, 1, 'old', created_at, created_at, 'succeeded' from old
)
insert into ${SCHEMA}.outcomes (execution_id, state, attempts, lease_token, first_started_at, started_at, finished_at)
select id, 'succeeded', 1, 1, created_at, created_at, created_at from old`;
const FINISHED_AT_ONCE = 100_000;

let databases = 0;

export class BenchDatabase {
  /**
   * @param {string} url
   * @param {string} name
   * @param {pg.Client} admin
   */
  constructor(url, name, admin) {
    this.url = url;
    this.name = name;
    this.admin = admin;
    /** @type {pg.Client | null} */
    this.inside = null;
  }

  /** @param {string} serverUrl */
  static async create(serverUrl) {
    const name = `bench_${process.pid}_${++databases}`;
    const admin = await connect(serverUrl);
    await admin.query(`create database ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return new BenchDatabase(url.href, name, admin);
  }

  /** Statistics and the disk as quiet as they get, for whoever comes next. */
  async settle() {
    await this.query('vacuum analyze');
    await this.query('checkpoint');
  }

  /**
   * Waits until nothing is left to be done.
   * @param {import('./side-process.mjs').SideName} side
   */
  async finished(side) {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while ((await this.query(UNFINISHED[side]))[0].left) {
      if (performance.now() > deadlineMs) throw new Error(`${side} left jobs undone for ${PATIENCE_MS} ms.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  /**
   * @param {number} executions that must have ended
   * @throws when our side has not kept its statistics
   */
  async checkStatistics(executions) {
    const [kept] = await this.query(
      `select (select count(*)::int from ${SCHEMA}.executions) as executions,
        (select count(*)::int from ${SCHEMA}.outcomes where state = 'succeeded') as outcomes,
        (select count(*)::int from ${SCHEMA}.attempts where outcome = 'succeeded') as attempts`,
    );
    if (Object.values(kept).every((count) => count === executions)) return;
    throw new Error(`${executions} executions must each have an outcome and an attempt: ${JSON.stringify(kept)}`);
  }

  /** @param {number} count */
  async addFinished(count) {
    for (let first = 1; first <= count; first += FINISHED_AT_ONCE) {
      await this.query(FINISHED_ROWS, [first, Math.min(first + FINISHED_AT_ONCE - 1, count)]);
    }
  }

  /** Transactions so far, and connections now: of everybody but this class, which asks from another database. */
  async traffic() {
    await this.leave();
    const { rows } = await this.admin.query(
      `select xact_commit + xact_rollback as transactions,
        (select count(*) from pg_stat_activity a where a.datname = $1 and a.backend_type = 'client backend') as connections
      from pg_stat_database where datname = $1`,
      [this.name],
    );
    const { transactions, connections } = rows[0];
    return { transactions: Number(transactions), connections: Number(connections) };
  }

  /** Opens a transaction that sees the present, and with it keeps the server from removing what ends from now on. */
  async holdSnapshot() {
    const holder = await connect(this.url);
    await holder.query('begin isolation level repeatable read');
    await holder.query(`select count(*) from ${SCHEMA}.work`);
    return { release: () => holder.end() };
  }

  async drop() {
    await this.leave();
    await this.admin.query(`drop database if exists ${this.name} with (force)`);
    await this.admin.end();
  }

  /**
   * @param {string} text
   * @param {readonly unknown[]} [values]
   * @returns {Promise<any[]>}
   */
  async query(text, values = []) {
    this.inside ??= await connect(this.url);
    return (await this.inside.query(text, [...values])).rows;
  }

  async leave() {
    await this.inside?.end();
    this.inside = null;
  }
}

/** @param {string} url */
async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  // The next statement tells.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
