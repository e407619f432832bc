import type { EventSink } from '../core/events/engine-event.js';
import type { ClaimedExecution } from '../core/execution/claimed-execution.js';
import type { ClaimRequest, GatedClaim } from '../core/ports/work-store.js';
import { ClaimStarts } from './claim-starts.js';
import { ClaimedWork } from './claimed-work.js';
import { instantOf } from './database/column-values.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import { keptStatements } from './kept-statements.js';
import type { LedgerNames } from './ledger-names.js';
import { claimLimitedSql } from './statements/claim-limited.sql.js';
import type { ClaimedRow } from './statements/claim-work.sql.js';
import { endOverdueSql, type OverdueRow } from './statements/end-overdue.sql.js';
import { lockQueuesSql, type LockedQueueRow } from './statements/lock-queues.sql.js';
import { tellEnds } from './tell-ends.js';

const ACTION = 'claim executions';

/**
 * Claims: of open queues in a statement of its own, of gated ones behind a lock of the queues. What was found to be overdue is
 * ended by one more.
 */
export class WorkClaims {
  private readonly sql;
  private readonly starts = new ClaimStarts(() => performance.now());

  constructor(
    names: LedgerNames,
    private readonly database: Database,
    private readonly emit: EventSink,
  ) {
    const { claim, claimOnwards } = keptStatements(names);
    this.sql = {
      claim,
      claimOnwards,
      lockQueues: lockQueuesSql(names),
      claimLimited: claimLimitedSql(names),
      endOverdue: endOverdueSql(names),
    };
  }

  async claim(request: ClaimRequest): Promise<readonly ClaimedExecution[]> {
    const quotas = request.quotas.filter(({ take }) => take > 0);
    if (quotas.length === 0) return [];
    const query: Session['query'] = (text, values = []) => this.database.query(ACTION, text, values);
    const rows = await this.claimOpen({ ...request, quotas });
    // What cannot be ended now is handed back by the rescue, as work that did not start; the rest is claimed all the same.
    tellEnds(this.emit, await this.endOverdue({ query }, rows, request.now).catch(() => []));
    return claimedExecutions(rows);
  }

  async claimGated(request: ClaimRequest): Promise<GatedClaim> {
    const { ended, ...claim } = await this.database.transaction(ACTION, async (session) => {
      const locked = await session.query<LockedQueueRow>(this.sql.lockQueues, [queueNames(request)]);
      const names = new Set(locked.map(({ name }) => name));
      const quotas = request.quotas.filter(({ queue }) => names.has(queue));
      const isBusy = quotas.length < request.quotas.length;
      if (quotas.length === 0) return { claimed: [], isBusy, ended: [] };
      const rows = await session.query<ClaimedRow>(this.sql.claimLimited, claimValues({ ...request, quotas }));
      const ended = await this.endOverdue(session, rows, request.now);
      return { claimed: claimedExecutions(rows), isBusy, ended };
    });
    tellEnds(this.emit, ended);
    return claim;
  }

  private async claimOpen(request: ClaimRequest): Promise<readonly ClaimedRow[]> {
    const values = claimValues(request);
    const starts = this.starts.of(queueNames(request));
    const rows = await (starts === null
      ? this.database.queryKept<ClaimedRow>(ACTION, this.sql.claim, values)
      : this.database.queryKept<ClaimedRow>(ACTION, this.sql.claimOnwards, [
          ...values,
          starts.map(({ priority }) => priority),
          starts.map(({ runSeconds }) => runSeconds),
          starts.map(({ id }) => id),
        ]));
    if (this.starts.claimed(rows)) return rows;
    // Nothing behind the places that are known: there may be something before them.
    return this.claimOpen(request);
  }

  private async endOverdue(
    session: Session,
    claimed: readonly ClaimedRow[],
    now: Date | null,
  ): Promise<readonly OverdueRow[]> {
    const rows = claimed.filter(({ overdue }) => overdue);
    if (rows.length === 0) return [];
    return session.query(this.sql.endOverdue, [rows.map(({ id }) => id), rows.map(({ token }) => token), now]);
  }
}

function claimedExecutions(rows: readonly ClaimedRow[]): readonly ClaimedExecution[] {
  const [first] = rows;
  if (first === undefined) return [];
  const claimedAt = instantOf(first.claimed_s);
  return rows.filter(({ overdue }) => !overdue).map((row) => new ClaimedWork(row, claimedAt));
}

const queueNames = ({ quotas }: ClaimRequest): readonly string[] => quotas.map(({ queue }) => queue);

const claimValues = (request: ClaimRequest): readonly unknown[] => [
  request.workerId,
  queueNames(request),
  request.quotas.map(({ take }) => take),
  request.quotas.map(({ start }) => start),
  request.jobNames,
  request.now,
  request.lastChance ?? true,
  request.leftOut?.length ? request.leftOut : null,
];
