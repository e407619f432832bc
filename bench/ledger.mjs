// A ledger of its own for one repetition, with a scheduler whose clock is set.
import pg from 'pg';
import { DataSource } from 'typeorm';
import { resolveJob } from '../libs/scheduled-jobs/dist/core/job/resolve-job.js';
import { Scheduler } from '../libs/scheduled-jobs/dist/engine/scheduler.js';
import { createStores } from '../libs/scheduled-jobs/dist/postgres/create-stores.js';
import { migrate } from '../libs/scheduled-jobs/dist/postgres/migrate.js';

const SCHEMA = 'scheduled_jobs';
let ledgers = 0;

export class BenchLedger {
  /**
   * @param {DataSource} dataSource
   * @param {number} serverPid
   * @param {() => Promise<void>} drop
   */
  constructor(dataSource, serverPid, drop) {
    this.dataSource = dataSource;
    this.serverPid = serverPid;
    this.drop = drop;
    this.stores = createStores(dataSource, { schema: SCHEMA, emit: () => undefined, listenUrl: false });
  }

  /** @param {{ readonly url: string, readonly pid: number }} server */
  static async create({ url: serverUrl, pid }) {
    const name = `bench_${process.pid}_${++ledgers}`;
    const admin = new pg.Client({ connectionString: serverUrl });
    await admin.connect();
    await admin.query(`create database ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const dataSource = await new DataSource({ type: 'postgres', url: url.href, poolSize: 10 }).initialize();
    await migrate(dataSource, { schema: SCHEMA });
    return new BenchLedger(dataSource, pid, async () => {
      await dataSource.destroy();
      await admin.query(`drop database ${name}`);
      await admin.end();
    });
  }

  /**
   * Registers scheduled jobs at an instant.
   * @param {readonly { readonly name: string, readonly cron: string, readonly options?: object }[]} jobs
   * @param {Date} at
   */
  async register(jobs, at) {
    const definitions = jobs.map(({ name, cron, options }) => {
      /** @type {import('../libs/scheduled-jobs/dist/core/job/declared-job.js').DeclaredJob} */
      const declared = { kind: 'scheduled', cron, options: { name, timeZone: 'UTC', ...options }, place: name };
      const { definition, problems } = resolveJob(declared, { timeZone: null, overrides: {} });
      if (definition === null) throw new Error(problems.join('\n'));
      return definition;
    });
    await this.stores.schedules.register(definitions, at);
    return definitions;
  }

  /**
   * A scheduler whose time is set.
   * @param {readonly import('../libs/scheduled-jobs/dist/core/job/job-definition.js').JobDefinition[]} definitions
   */
  scheduler(definitions) {
    let now = new Date(0);
    const clock = { boundNow: () => now, monotonicMs: () => performance.now() };
    const scheduler = new Scheduler({ store: this.stores.schedules, definitions, clock, emit: () => undefined });
    return {
      /** @param {Date} at */
      tickAt: (at) => {
        now = at;
        return scheduler.runOnce();
      },
    };
  }

  async executions() {
    const [{ count }] = await this.dataSource.query(`select count(*)::int as count from ${SCHEMA}.executions`);
    return count;
  }

  async close() {
    await this.drop();
  }
}
