import { createHash } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';
import type { KeptStatement } from '../kept-statements.js';
import { ANSWER_MS, ClientSession, type Session } from './session.js';
import { isConflict, isUncallable, isUnprepared, storeError } from './store-errors.js';
import { takeConnection } from './take-connection.js';

const MAX_TRIES = 5;
const MAX_PAUSE_MS = 50;
/**
 * How long the server keeps a transaction open whose process says nothing, because it is frozen or cannot be reached: its
 * row locks would hold up every other process. Planning many schedules takes seconds; a frozen one may never wake.
 */
const SILENCE_MS = 60_000;

/**
 * Our own statements and transactions over the data source's pool. Both are repeated a few times when PostgreSQL rolled
 * them back only because of another transaction, and raise StoreUnavailableError when the database is gone.
 */
export class Database {
  private keepsPlans = true;
  /** Names of statements by their text. */
  private readonly names = new Map<string, string>();
  /** The calls of kept statements that did not work. */
  private readonly uncallable = new Set<string>();

  /**
   * @param answerMs How long a statement may go without an answer, and a connection may not come, milliseconds; 0 = as
   *   long as the host allows.
   * @param silenceMs How long a transaction may stay open between two statements, milliseconds; then the server ends it.
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly answerMs: number = ANSWER_MS,
    private readonly silenceMs: number = SILENCE_MS,
  ) {}

  /** Runs one statement in a transaction of its own; `action` names it in errors. */
  query<Row>(action: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.repeat(action, () => this.withSession((session) => session.query<Row>(text, values)));
  }

  /**
   * The same for a statement whose best plan depends neither on values nor on statistics: each connection plans it once. Its
   * name tells its text, so that nobody's plan is taken for another's where a pooler hands connections around. One that
   * does not carry names answers with an error before anything is done; from then on nothing is named.
   */
  queryPlanned<Row>(action: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const inSession = async (session: ClientSession): Promise<readonly Row[]> => {
      const name = this.keepsPlans ? this.nameOf(text) : undefined;
      try {
        return await session.query<Row>(text, values, name);
      } catch (error) {
        if (name === undefined || !isUnprepared(error)) throw error;
        this.keepsPlans = false;
        return session.query<Row>(text, values);
      }
    };
    return this.repeat(action, () => this.withSession(inSession));
  }

  /**
   * The same by a function of the schema. Where there is none, because another version of the package migrated the schema, or
   * the role may not call it, the server says so before anything is done; from then on the statement itself is sent.
   */
  queryKept<Row>(action: string, kept: KeptStatement, values: readonly unknown[]): Promise<readonly Row[]> {
    const inSession = async (session: ClientSession): Promise<readonly Row[]> => {
      if (!this.keeps(kept)) return session.query<Row>(kept.text, values);
      try {
        return await session.query<Row>(kept.call, values);
      } catch (error) {
        if (!isUncallable(error)) throw error;
        this.uncallable.add(kept.call);
        return session.query<Row>(kept.text, values);
      }
    };
    return this.repeat(action, () => this.withSession(inSession));
  }

  /** Whether the function has not failed to be called yet. */
  keeps(kept: KeptStatement): boolean {
    return !this.uncallable.has(kept.call);
  }

  /** Runs `work` in a READ COMMITTED transaction on one connection; `work` may run more than once. */
  transaction<T>(action: string, work: (session: Session, runner: QueryRunner) => Promise<T>): Promise<T> {
    return this.repeat(action, () =>
      this.withSession((session, runner) => this.inTransaction(session, () => work(session, runner))),
    );
  }

  private nameOf(text: string): string {
    const name =
      this.names.get(text) ?? `scheduled_jobs_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.names.set(text, name);
    return name;
  }

  private async inTransaction<T>(session: ClientSession, work: () => Promise<T>): Promise<T> {
    await session.query('begin isolation level read committed');
    try {
      await session.query(`set local idle_in_transaction_session_timeout = ${this.silenceMs}`);
      const value = await work();
      await session.query('commit');
      return value;
    } catch (error) {
      await session.query('rollback').catch(() => session.discard());
      throw error;
    }
  }

  private async withSession<T>(work: (session: ClientSession, runner: QueryRunner) => Promise<T>): Promise<T> {
    const runner = await takeConnection(this.dataSource, this.answerMs);
    try {
      return await work(await ClientSession.of(runner, this.answerMs), runner);
    } finally {
      await runner.release();
    }
  }

  private async repeat<T>(action: string, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!isConflict(error) || tries === MAX_TRIES) throw storeError(error, action);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
      }
    }
  }
}
