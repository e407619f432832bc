// Reads the ledger's tables themselves, not through the library: the demo judges by what is on record.
import pg from 'pg';

const SCHEMA = 'scheduled_jobs';
const STATE = `
  case
    when o.execution_id is not null then o.state
    when w.phase = 'leased' then 'running'
    when w.retrying then 'retrying'
    else 'pending'
  end`;
const EXECUTIONS_SINCE = `
  from ${SCHEMA}.executions e
  left join ${SCHEMA}.outcomes o on o.execution_id = e.id
  left join ${SCHEMA}.work w on w.execution_id = e.id
  where e.created_at >= $1`;

/**
 * @typedef {object} ExecutionRow
 * @property {string} job
 * @property {string} key
 * @property {string} trigger `schedule`, `enqueue` or another
 * @property {Date} createdAt
 * @property {string} state `pending`, `running`, `retrying` or a final one
 * @property {Date} startableAt its nominal time, or when it was inserted if that was later
 * @property {Date | null} firstStartedAt
 * @property {Date | null} finishedAt
 * @property {number} successfulAttempts
 */

/**
 * @typedef {object} ScheduleVersionRow
 * @property {string} job
 * @property {Date} cursorAt all periods up to here are recorded
 * @property {Date} validFrom the first one's is the first cursor
 * @property {string} expression
 * @property {string} timeZone
 * @property {Record<string, unknown>} shape further options of the calendar
 */

/** @typedef {{ readonly job: string, readonly state: string, readonly executions: number }} StateCount */

/** @typedef {{ readonly job: string, readonly fromAt: Date, readonly toAt: Date }} SkippedRangeRow */

export class LedgerReader {
  #pool;

  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    this.#pool.on('error', () => undefined); // an idle connection that breaks; the next query opens another
  }

  /** @returns {Promise<Date>} the database's time */
  async now() {
    const [row] = await this.#read('select now() as now');
    return row.now;
  }

  /**
   * Where each schedule's cursor stands; empty on a database that has no ledger yet.
   * @returns {Promise<Map<string, Date>>}
   */
  async cursors() {
    const [{ schedules }] = await this.#read(`select to_regclass('${SCHEMA}.schedules') as schedules`);
    if (schedules === null) return new Map();
    const rows = await this.#read(`select job_name, cursor_at from ${SCHEMA}.schedules`);
    return new Map(rows.map((row) => [row.job_name, row.cursor_at]));
  }

  /** @returns {Promise<ScheduleVersionRow[]>} by job, oldest version first */
  scheduleVersions() {
    return this.#read(`
      select s.job_name as job, s.cursor_at as "cursorAt", v.valid_from as "validFrom", v.expression,
        v.time_zone as "timeZone", v.shape
      from ${SCHEMA}.schedules s
      join ${SCHEMA}.schedule_versions v using (schedule_name)
      order by s.job_name, v.version`);
  }

  /**
   * Executions that were inserted since an instant, and older ones that have not ended.
   * @param {Date} since
   * @returns {Promise<ExecutionRow[]>}
   */
  executions(since) {
    return this.#read(
      `
      select e.job_name as job, e.key, e.trigger, e.created_at as "createdAt", ${STATE} as state,
        greatest(e.scheduled_for, e.created_at) as "startableAt",
        coalesce(o.first_started_at, w.first_started_at) as "firstStartedAt", o.finished_at as "finishedAt",
        (select count(*)::int from ${SCHEMA}.attempts a
         where a.execution_id = e.id and a.outcome in ('succeeded', 'completed_with_errors')) as "successfulAttempts"
      ${EXECUTIONS_SINCE} or w.execution_id is not null
      order by e.id`,
      [since],
    );
  }

  /**
   * @param {Date} since
   * @returns {Promise<StateCount[]>} of executions that were inserted since
   */
  stateCounts(since) {
    return this.#read(
      `
      select e.job_name as job, ${STATE} as state, count(*)::int as executions
      ${EXECUTIONS_SINCE}
      group by 1, 2
      order by 1, 2`,
      [since],
    );
  }

  /** @returns {Promise<SkippedRangeRow[]>} */
  skippedRanges() {
    return this.#read(`
      select job_name as job, from_at as "fromAt", to_at as "toAt"
      from ${SCHEMA}.skipped_ranges`);
  }

  /** @returns {Promise<number>} executions that have not ended */
  async openExecutions() {
    const [{ open }] = await this.#read(`select count(*)::int as open from ${SCHEMA}.work`);
    return open;
  }

  async close() {
    await this.#pool.end();
  }

  /**
   * @param {string} text
   * @param {readonly unknown[]} [values]
   * @returns {Promise<any[]>}
   */
  async #read(text, values = []) {
    return (await this.#pool.query(text, [...values])).rows;
  }
}
