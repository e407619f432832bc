// One start of the demo, from its first tick to the verdict.
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from './api-client.mjs';
import { auditTable } from './audit-table.mjs';
import { ExportRequests } from './export-requests.mjs';
import { judgeSession } from './judge.mjs';
import { LedgerReader } from './ledger-reader.mjs';
import { askForExports, operateOnce } from './sights.mjs';
import { summaryLine } from './summary-line.mjs';

const PROGRESS_EVERY_MS = 10_000;
const IN_FLIGHT_PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 200;
const SHOWN_PROBLEMS = 20;

/** @typedef {import('../supervisor.mjs').Supervisor} Supervisor */
/** @typedef {{ readonly urls: readonly string[], readonly token: string }} Apis */
/** @typedef {Apis & { readonly runMs: number }} JudgedRun */

export class DemoSession {
  #ledger;
  #startedAt;
  #cursorsBefore;

  /**
   * @param {LedgerReader} ledger
   * @param {Date} startedAt
   * @param {Map<string, Date>} cursorsBefore
   */
  constructor(ledger, startedAt, cursorsBefore) {
    this.#ledger = ledger;
    this.#startedAt = startedAt;
    this.#cursorsBefore = cursorsBefore;
  }

  /**
   * Notes where the schedules stand; call it before the first application starts.
   * @param {string} databaseUrl
   * @throws when the database cannot be reached
   */
  static async open(databaseUrl) {
    const ledger = new LedgerReader(databaseUrl);
    return new DemoSession(ledger, await firstAnswer(ledger), await ledger.cursors());
  }

  /** Says every ten seconds what has been done. */
  showProgress() {
    const show = async () => {
      const line = summaryLine(await this.#ledger.stateCounts(this.#startedAt));
      console.log(`${new Date().toLocaleTimeString('en-GB')}  ${line}`);
    };
    setInterval(() => void show().catch(() => undefined), PROGRESS_EVERY_MS).unref();
  }

  /** Whether the database has no ledger of an earlier start. */
  get isFirst() {
    return this.#cursorsBefore.size === 0;
  }

  /**
   * Leaves things to look into; what operators have done is left at the first start only, so that it may be undone.
   * @param {Apis} apis
   */
  async leaveSights({ urls: [url = ''], token }) {
    const api = new ApiClient(url, token);
    await askForExports(api, this.#startedAt);
    if (this.isFirst) await operateOnce(api, this.#startedAt);
  }

  /**
   * Lets everything run for a while, then stops the ticking, gives what is in flight some time, and shows the result.
   * @param {Supervisor} supervisor
   * @param {JudgedRun} run
   * @returns {Promise<boolean>} whether every period ended well exactly once, and the accounts hold what they must
   */
  async judge(supervisor, { urls, token, runMs }) {
    const apis = urls.map((url) => new ApiClient(url, token));
    const requests = new ExportRequests(apis, `demo-${this.#startedAt.getTime()}`);
    requests.start();
    await delay(runMs);
    await requests.stop();
    await supervisor.ask('stopTicking');
    console.log('\nThe ticking has stopped; waiting for what is in flight …');
    await this.#settled();
    const { audits, problems } = await judgeSession({
      ledger: this.#ledger,
      startedAt: this.#startedAt,
      cursorsBefore: this.#cursorsBefore,
      askedKeys: requests.keys,
    });
    console.log(`\n${auditTable(audits)}\n`);
    return report([...problems, ...requests.problems, ...(await balanceProblems(apis[0]))]);
  }

  async #settled() {
    for (const deadline = Date.now() + IN_FLIGHT_PATIENCE_MS; Date.now() < deadline; await delay(LOOK_EVERY_MS)) {
      if ((await this.#ledger.openExecutions()) === 0) return;
    }
  }
}

/**
 * The database's time. Messages of the driver name the server and the user, never the password.
 * @param {LedgerReader} ledger
 */
async function firstAnswer(ledger) {
  try {
    return await ledger.now();
  } catch (error) {
    const { message, code } = /** @type {Error & { readonly code?: string }} */ (error);
    throw new Error(`Cannot reach the PostgreSQL of DATABASE_URL: ${message || code}`, { cause: error });
  }
}

/**
 * @param {ApiClient | undefined} api
 * @returns {Promise<readonly string[]>}
 */
async function balanceProblems(api) {
  if (api === undefined) return ['no API to ask for the balance'];
  const { accounts, finishedPeriods, expectedPoints, lowestPoints, highestPoints, isExact } = await api.pointsBalance();
  const count = accounts.toLocaleString('en');
  console.log(
    `points: ${count} accounts hold ${lowestPoints} to ${highestPoints} points each; ` +
      `the ${finishedPeriods} periods finished since the database was created gave each ${expectedPoints}.`,
  );
  return isExact ? [] : [`points: the accounts must hold exactly ${expectedPoints} points each`];
}

/** @param {readonly string[]} problems */
function report(problems) {
  if (problems.length === 0) {
    console.log('Every period ended well, exactly once.');
    return true;
  }
  console.log(`${problems.length} problems:`);
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(`- ${problem}`);
  if (problems.length > SHOWN_PROBLEMS) console.log(`- and ${problems.length - SHOWN_PROBLEMS} more`);
  return false;
}
