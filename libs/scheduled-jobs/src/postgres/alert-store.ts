import type { Alert, AlertKind, AlertRule } from '../core/alert/alert.js';
import type { AlertQuery, AlertStore, RaisedAlerts, RaiseRequest } from '../core/ports/alert-store.js';
import type { Page } from '../core/ports/ledger-reader.js';
import { resolveAlertQuery } from './alert-query.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import { ExecutionInserter } from './execution-inserter.js';
import { idPage } from './ledger/id-page.js';
import type { LedgerNames } from './ledger-names.js';
import type { AlertRow } from './statements/alert-columns.js';
import { beginPeriodWatchesSql } from './statements/begin-period-watches.sql.js';
import { beginWatchSql } from './statements/begin-watch.sql.js';
import { findAlertSql } from './statements/find-alert.sql.js';
import { findAlertsSql } from './statements/find-alerts.sql.js';
import type { LevelRow } from './statements/level-alerts.js';
import { noteAnnouncedSql } from './statements/note-announced.sql.js';
import { raiseBacklogAgesSql } from './statements/raise-backlog-ages.sql.js';
import { raiseDeadLetterRatiosSql } from './statements/raise-dead-letter-ratios.sql.js';
import { raiseFailuresSql, type RaisedRow } from './statements/raise-failures.sql.js';
import { raiseMissedPeriodsSql, type MissedPeriodRow } from './statements/raise-missed-periods.sql.js';
import { removeOldAlertsSql } from './statements/remove-old-alerts.sql.js';
import { takeUnannouncedSql } from './statements/take-unannounced.sql.js';

const ID = /^\d{1,18}$/;

/** What one statement found. */
interface Found {
  readonly alertIds: readonly string[];
  readonly closed: readonly string[];
  readonly hasMore: boolean;
}

/** Alerts as rows. Which process raises one is decided by locks and unique facts, so that any number may try at once. */
export class PostgresAlertStore implements AlertStore {
  private readonly sql;
  private readonly inserter: ExecutionInserter;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.inserter = new ExecutionInserter(names);
    this.sql = {
      begin: beginWatchSql(names),
      beginPeriods: beginPeriodWatchesSql(names),
      failure: raiseFailuresSql(names),
      missedPeriod: raiseMissedPeriodsSql(names),
      deadLetterRatio: raiseDeadLetterRatiosSql(names),
      backlogAge: raiseBacklogAgesSql(names),
      take: takeUnannouncedSql(names),
      announced: noteAnnouncedSql(names),
      find: findAlertSql(names),
      list: findAlertsSql(names),
      removeOld: removeOldAlertsSql(names),
    };
  }

  async raise(rule: AlertRule, request: RaiseRequest): Promise<RaisedAlerts> {
    const action = `raise alerts of the kind "${rule.kind}"`;
    const { kind } = rule;
    if (kind === 'missed-period') await this.database.query(action, this.sql.beginPeriods, [request.now]);
    else await this.database.query(action, this.sql.begin, [kind, request.now]);
    const found = await this.database.transaction(action, (session) => this.raiseIn(session, rule, request));
    const closed = found.closed.map((subject) => ({ kind, subject }));
    return { raised: found.alertIds.length, closed, hasMore: found.hasMore };
  }

  async takeUnannounced(limit: number, now: Date | null): Promise<readonly Alert[]> {
    return (await this.database.query<AlertRow>('take alerts', this.sql.take, [now, limit])).map(alertOf);
  }

  async announced(alertId: string): Promise<void> {
    await this.database.query('note that an alert was announced', this.sql.announced, [alertId]);
  }

  async find(alertId: string): Promise<Alert | null> {
    if (!ID.test(alertId)) return null;
    const [row] = await this.database.query<AlertRow>('find an alert', this.sql.find, [alertId]);
    return row === undefined ? null : alertOf(row);
  }

  async list(query: AlertQuery): Promise<Page<Alert>> {
    const { limit, digest, after } = resolveAlertQuery(query);
    const values = [query.kind, query.subject, query.open, after, limit + 1];
    const rows = await this.database.query<AlertRow>('list alerts', this.sql.list, values);
    return idPage(rows, { limit, digest, item: alertOf });
  }

  async removeOld(limit: number, now: Date | null): Promise<number> {
    return (await this.database.query('remove old alerts', this.sql.removeOld, [now, limit])).length;
  }

  /** The alerts and what delivers them exist together or not at all. */
  private async raiseIn(session: Session, rule: AlertRule, request: RaiseRequest): Promise<Found> {
    const { delivery, now } = request;
    const found = await this.judge(session, rule, request);
    if (delivery !== null && found.alertIds.length > 0) {
      await this.inserter.insert(session, found.alertIds.map(delivery), { now, hint: true });
    }
    return found;
  }

  private async judge(session: Session, rule: AlertRule, { limit, now }: RaiseRequest): Promise<Found> {
    switch (rule.kind) {
      case 'failure': {
        const rows = await session.query<RaisedRow>(this.sql.failure, [now, limit]);
        return { alertIds: rows.map(({ id }) => id), closed: [], hasMore: rows.length === limit };
      }
      case 'missed-period':
        return missed(await session.query<MissedPeriodRow>(this.sql.missedPeriod, [now, limit]));
      case 'dead-letter-ratio': {
        const values = [now, limit, rule.above, rule.windowMs, rule.minimum];
        return levels(await session.query<LevelRow>(this.sql.deadLetterRatio, values), limit);
      }
      case 'backlog-age':
        return levels(await session.query<LevelRow>(this.sql.backlogAge, [now, limit, rule.aboveMs]), limit);
    }
  }
}

const missed = (rows: readonly MissedPeriodRow[]): Found => ({
  alertIds: rows.flatMap(({ id }) => id ?? []),
  closed: [],
  hasMore: rows[0]?.has_more ?? false,
});

function levels(rows: readonly LevelRow[], limit: number): Found {
  const alertIds = rows.flatMap(({ id }) => id ?? []);
  const closed = rows.flatMap(({ id, subject }) => (id === null ? [subject] : []));
  return { alertIds, closed, hasMore: alertIds.length === limit };
}

const alertOf = ({ id, kind, subject, detail, runbook, ...row }: AlertRow): Alert =>
  // The statements of each kind write its details.
  ({
    alertId: id,
    kind: kind satisfies AlertKind,
    subject,
    executionId: row.execution_id,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    runbook,
    detail,
  }) as Alert;
