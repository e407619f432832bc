import { MINUTE_MS } from '../core/duration.js';
import { cutText } from '../core/execution/bounded-text.js';
import { redactStored, redactText } from '../core/execution/redaction.js';
import type { OperatorRequest } from '../core/ports/operator-request.js';
import type {
  ReplayedExecution,
  ReplayedPage,
  ReplayFilter,
  ReplayPageRequest,
  ReplayPosition,
  ReplayPreview,
  ReplayRequest,
  ReplayStore,
} from '../core/ports/replay-store.js';
import { AuditWriter } from './audit-writer.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import type { LedgerNames } from './ledger-names.js';
import { findReplayableSql, type ReplayableRow } from './statements/find-replayable.sql.js';
import { lockEndedPayloadSql, type EndedPayloadRow } from './statements/lock-ended-payload.sql.js';
import { previewReplaySql, type ReplayGroupRow } from './statements/preview-replay.sql.js';
import { replayExecutionsSql, type ReplayedRow } from './statements/replay-executions.sql.js';
import { filterValues, NO_FILTER } from './statements/replay-filter.js';
import { sendHintSql } from './statements/send-hint.sql.js';

const ACTION = 'replay executions';
const EXAMPLES = 3;
const MAX_SUBJECT_BYTES = 2_000;
const MAX_GROUPS = 100;
const NOT_CORRECTED = [false, null, null, null] as const;

/** Brings ended executions back by one statement, in the transaction that notes who did so. */
export class PostgresReplayStore implements ReplayStore {
  private readonly sql;
  private readonly audit: AuditWriter;

  constructor(
    private readonly names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      find: findReplayableSql(names),
      preview: previewReplaySql(names),
      lockPayload: lockEndedPayloadSql(names),
      replay: replayExecutionsSql(names),
      hint: sendHintSql(),
    };
    this.audit = new AuditWriter(names);
  }

  async replay(executionId: string, request: ReplayRequest): Promise<ReplayedExecution | null> {
    return this.database.transaction(ACTION, async (session) => {
      const correction = await this.correction(session, executionId, request);
      if (correction === null) return null;
      const values = [[executionId], ...operatorValues(request, request.force), null, 0, ...correction, ...NO_FILTER];
      const [replayed] = await this.run(session, values);
      return replayed ?? null;
    });
  }

  async replayPage(request: ReplayPageRequest): Promise<ReplayedPage> {
    const { limit, after, filter, maxPerMinute } = request;
    const meant = filterValues(filter);
    const found = await this.database.query<ReplayableRow>(ACTION, this.sql.find, [
      ...meant,
      after?.executionId ?? null,
      limit + 1,
    ]);
    const ids = found.slice(0, limit).map(({ id }) => id);
    if (ids.length === 0) return { replayed: [], leftAlone: 0, next: null };
    const spacingMs = MINUTE_MS / maxPerMinute;
    const pace = [after?.runAt ?? null, spacingMs];
    const replayed = await this.database.transaction(ACTION, async (session) => {
      const values = [ids, ...operatorValues(request, false), ...pace, ...NOT_CORRECTED, ...meant];
      const rows = await this.run(session, values);
      await this.noteMany(session, request, { replayed: rows.length, leftAlone: ids.length - rows.length });
      return rows;
    });
    const next = found.length > limit ? nextPosition(ids, { replayed, spacingMs, after }) : null;
    return { replayed, leftAlone: ids.length - replayed.length, next };
  }

  async preview(filter: ReplayFilter): Promise<ReplayPreview> {
    const values = [...filterValues(filter), EXAMPLES, MAX_GROUPS];
    const rows = await this.database.query<ReplayGroupRow>('preview a replay', this.sql.preview, values);
    const groups = rows.map((row) => ({
      job: row.job_name,
      fingerprint: row.error_fingerprint,
      errorClass: row.error_class,
      count: row.count,
      examples: row.examples,
    }));
    return { count: rows[0]?.total ?? 0, groups };
  }

  private async run(session: Session, values: readonly unknown[]): Promise<readonly ReplayedExecution[]> {
    const rows = await session.query<ReplayedRow>(this.sql.replay, values);
    if (rows.length > 0) await session.query(this.sql.hint, [this.names.channel]);
    return rows.map(({ id, key, run_at: runAt }) => ({ executionId: id, key, runAt }));
  }

  /** The former payload is read under the lock of the outcome: it is the one that the replay replaces. */
  private async correction(
    session: Session,
    executionId: string,
    { corrected }: ReplayRequest,
  ): Promise<readonly unknown[] | null> {
    if (corrected === null) return NOT_CORRECTED;
    const [ended] = await session.query<EndedPayloadRow>(this.sql.lockPayload, [executionId]);
    if (ended === undefined) return null;
    return [true, corrected.json, corrected.concurrencyKey, JSON.stringify(redactStored(ended.payload))];
  }

  private noteMany(
    session: Session,
    { filter, maxPerMinute, actor, reason, now }: ReplayPageRequest,
    counts: { readonly replayed: number; readonly leftAlone: number },
  ): Promise<void> {
    const subject = cutText(redactText(JSON.stringify(filter)), MAX_SUBJECT_BYTES);
    const about = { subject, jobName: filter.job ?? null, executionId: null, actor, reason };
    return this.audit.record(session, [{ action: 'replay-many', ...about, details: { ...counts, maxPerMinute } }], now);
  }
}

const operatorValues = ({ now, actor, reason }: OperatorRequest, force: boolean): readonly unknown[] => [
  now,
  force,
  actor,
  reason,
];

/** The pages of a replay keep one pace: the next one starts where this one's last execution leaves it. */
function nextPosition(
  ids: readonly string[],
  page: {
    readonly replayed: readonly ReplayedExecution[];
    readonly spacingMs: number;
    readonly after: ReplayPosition | null;
  },
): ReplayPosition | null {
  const executionId = ids.at(-1);
  const last = page.replayed.at(-1);
  if (executionId === undefined) return null;
  const runAt = last === undefined ? page.after?.runAt : new Date(last.runAt.getTime() + Math.ceil(page.spacingMs));
  return { executionId, runAt: runAt ?? new Date(0) };
}
