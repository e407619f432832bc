import type { EventSink } from '../core/events/engine-event.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import { advisoryLock, type LedgerNames } from './ledger-names.js';
import { admitWaitingSql, type AdmittedRow } from './statements/admit-waiting.sql.js';
import type { CanceledRow } from './statements/cancel-work.sql.js';
import { findReplacedSql, type ReplacedRow } from './statements/find-replaced.sql.js';
import { judgeWaitingSql, type JudgedRow } from './statements/judge-waiting.sql.js';
import { lockAdmissionSql, type AdmissionRow } from './statements/lock-admission.sql.js';
import { replaceWorkSql } from './statements/replace-work.sql.js';
import { KEYS_PER_WALK, walkWaitingSql, type WalkedRow } from './statements/walk-waiting.sql.js';
import { canceledEnds, tellEnds, type EndedRow } from './tell-ends.js';

/** How many executions one transaction drops, and asks to stop: the lock is never held for long. */
const SKIPS_PER_TURN = 1_000;

const ACTION = 'admit waiting executions';

/** What one transaction did. */
interface Turn {
  readonly admitted: number;
  /** There was too much to drop for one transaction: nothing is admitted before the rest is dropped too. */
  readonly isUnfinished: boolean;
  readonly ended: readonly EndedRow[];
}

interface Group {
  readonly keys: readonly string[];
  readonly elective: boolean;
  readonly now: Date | null;
}

/**
 * Gives the slots of concurrency keys to waiting executions. One transaction at a time, by the admission lock: it drops what
 * overlap policies leave out, asks what is replaced to stop, and admits. Each is a statement that sees what the one before
 * has done. Where no policy has anything to decide, only the last one runs.
 */
export class Admission {
  private readonly sql;
  private readonly lock: readonly [number, number];

  constructor(
    names: LedgerNames,
    private readonly database: Database,
    private readonly emit: EventSink,
  ) {
    this.sql = {
      lock: lockAdmissionSql(names),
      walk: walkWaitingSql(names),
      judge: judgeWaitingSql(names),
      findReplaced: findReplacedSql(names),
      replace: replaceWorkSql(names),
      admit: admitWaitingSql(names),
    };
    this.lock = advisoryLock(names.schema, 'admit');
  }

  /** Admits under these keys; waits for its turn. */
  async ofKeys(keys: readonly string[], now: Date | null): Promise<number> {
    if (keys.length === 0) return 0;
    for (;;) {
      const turn = await this.database.transaction(ACTION, async (session) => {
        const [row] = await session.query<AdmissionRow>(this.sql.lock, [...this.lock, keys]);
        return this.turn(session, { keys, elective: row?.elective === true, now });
      });
      tellEnds(this.emit, turn.ended);
      if (!turn.isUnfinished) return turn.admitted;
    }
  }

  /** Walks over all keys, one transaction per page; whoever else is walking does the rest. */
  async walking(now: Date | null): Promise<number> {
    let admitted = 0;
    for (let after: string | null = null; ;) {
      const page: (Turn & { readonly keys: readonly string[] }) | null = await this.page(after, now);
      if (page === null) return admitted;
      tellEnds(this.emit, page.ended);
      admitted += page.admitted;
      if (page.isUnfinished) continue;
      if (page.keys.length < KEYS_PER_WALK) return admitted;
      after = page.keys.at(-1) ?? null;
    }
  }

  private page(after: string | null, now: Date | null): Promise<(Turn & { readonly keys: readonly string[] }) | null> {
    return this.database.transaction(ACTION, async (session) => {
      const [row] = await session.query<WalkedRow>(this.sql.walk, [...this.lock, after, KEYS_PER_WALK]);
      const keys = row?.keys ?? null;
      if (keys === null) return null;
      return { ...(await this.turn(session, { keys, elective: row?.elective === true, now })), keys };
    });
  }

  private async turn(session: Session, { keys, elective, now }: Group): Promise<Turn> {
    if (keys.length === 0) return { admitted: 0, isUnfinished: false, ended: [] };
    const ended: EndedRow[] = [];
    if (elective) {
      const judged = await session.query<JudgedRow>(this.sql.judge, [keys, SKIPS_PER_TURN, now]);
      ended.push(...judged.map((row) => ({ ...row, state: 'skipped' as const })));
      const dropped = judged.reduce((sum, { count }) => sum + count, 0);
      if (dropped === SKIPS_PER_TURN) return { admitted: 0, isUnfinished: true, ended };
      ended.push(...(await this.stopReplaced(session, keys, now)));
    }
    const [row] = await session.query<AdmittedRow>(this.sql.admit, [keys, elective]);
    return { admitted: row?.admitted ?? 0, isUnfinished: false, ended };
  }

  /** Gives those that ended at once; what another statement holds is asked in the next turn. */
  private async stopReplaced(
    session: Session,
    keys: readonly string[],
    now: Date | null,
  ): Promise<readonly EndedRow[]> {
    const replaced = await session.query<ReplacedRow>(this.sql.findReplaced, [keys, SKIPS_PER_TURN]);
    if (replaced.length === 0) return [];
    const [ids, by] = [replaced.map(({ id }) => id), replaced.map((row) => row.replaced_by)];
    return canceledEnds(await session.query<CanceledRow>(this.sql.replace, [ids, now, true, by]));
  }
}
