// A migrated ledger, with a scheduler whose clock is set.
import { DataSource } from 'typeorm';
import { resolveJob } from '../libs/scheduled-jobs/dist/core/job/resolve-job.js';
import { Scheduler } from '../libs/scheduled-jobs/dist/engine/scheduler.js';
import { createStores } from '../libs/scheduled-jobs/dist/postgres/create-stores.js';
import { migrate } from '../libs/scheduled-jobs/dist/postgres/migrate.js';

const SCHEMA = 'scheduled_jobs';

export class BenchLedger {
  /** @param {DataSource} dataSource */
  constructor(dataSource) {
    this.dataSource = dataSource;
    this.stores = createStores(dataSource, { schema: SCHEMA, emit: () => undefined, listenUrl: false });
  }

  /** @param {import('./database.mjs').BenchDatabase} database */
  static async open({ url }) {
    const dataSource = await new DataSource({ type: 'postgres', url, poolSize: 10 }).initialize();
    await migrate(dataSource, { schema: SCHEMA });
    return new BenchLedger(dataSource);
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

  /**
   * @param {number} expected
   * @throws when there are more or fewer
   */
  async expectExecutions(expected) {
    const [{ count }] = await this.dataSource.query(`select count(*)::int as count from ${SCHEMA}.executions`);
    if (count !== expected) throw new Error(`There are ${count} executions instead of ${expected}.`);
  }

  /** Safe to call twice. */
  async close() {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
