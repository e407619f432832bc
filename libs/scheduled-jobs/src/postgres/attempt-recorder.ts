import type { AttemptRecord, RecordedAttempt } from '../core/execution/attempt-record.js';
import { thrownText } from '../core/execution/stored-error.js';
import { secondsOf } from './database/column-values.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import { storableText } from './database/storable-text.js';
import { isDataError } from './database/store-errors.js';
import { keptStatements } from './kept-statements.js';
import type { LedgerNames } from './ledger-names.js';
import { finishAttemptsSql, type FinishedRow } from './statements/finish-attempts.sql.js';
import type { SucceededRow } from './statements/finish-succeeded.sql.js';

/** Who records, and when. */
export interface RecordingContext {
  readonly workerId: string;
  readonly now: Date | null;
}

/** Sends one statement for a batch. */
type Recording = (records: readonly AttemptRecord[]) => Promise<readonly RecordedAttempt[]>;

/** Sends the lean statement. */
type SendSuccesses = (values: readonly unknown[]) => Promise<readonly SucceededRow[]>;

const ACTION = 'record attempts';

/** Records ended attempts: plain successes by a lean statement, everything else by the full one. */
export class AttemptRecorder {
  private readonly sql;

  constructor(names: LedgerNames) {
    this.sql = { succeeded: keptStatements(names).finishSucceeded, any: finishAttemptsSql(names) };
  }

  /**
   * Records in transactions of its own. What a first look does not find is asked for once more: a cancel request that
   * commits at the same moment can hide a row from both branches of the statement.
   */
  async recordAlone(
    database: Database,
    records: readonly AttemptRecord[],
    context: RecordingContext,
  ): Promise<readonly RecordedAttempt[]> {
    const session: Session = { query: (text, values = []) => database.query(ACTION, text, values) };
    const send: SendSuccesses = (values) => database.queryKept(ACTION, this.sql.succeeded, values);
    const plain = records.filter(isPlainSuccess);
    const others = plain.length === records.length ? [] : records.filter((record) => !isPlainSuccess(record));
    const any: Recording = (part) => this.recordAny(session, part, context);
    const recorded = [
      ...(await inHalves(plain, (part) => this.recordSuccesses(send, part, context), any)),
      ...(await inHalves(others, any, any)),
    ];
    if (recorded.length === records.length) return recorded;
    const found = new Set(recorded.map(({ executionId }) => executionId));
    const missing = records.filter(({ executionId }) => !found.has(executionId));
    return missing.length === 0 ? recorded : [...recorded, ...(await inHalves(missing, any, any))];
  }

  /** Records one attempt as a statement of a transaction that is already open; no answer = fenced out. */
  async recordWithin(
    session: Session,
    record: AttemptRecord,
    context: RecordingContext,
  ): Promise<RecordedAttempt | null> {
    // Not by the function: were it not there, that would end the transaction.
    const send: SendSuccesses = (values) => session.query(this.sql.succeeded.text, values);
    const statement: Recording = (part) =>
      isPlainSuccess(record) ? this.recordSuccesses(send, part, context) : this.recordAny(session, part, context);
    if (record.result === null) return (await statement([record]))[0] ?? null;
    // A result that cannot be stored must not undo what the run has done.
    await session.query('savepoint recording');
    try {
      return (await statement([record]))[0] ?? null;
    } catch (error) {
      if (!isDataError(error)) throw error;
      await session.query('rollback to savepoint recording');
      return (await this.recordAny(session, [withoutResult(record, error)], context))[0] ?? null;
    }
  }

  private async recordSuccesses(
    send: SendSuccesses,
    records: readonly AttemptRecord[],
    { workerId }: RecordingContext,
  ): Promise<readonly RecordedAttempt[]> {
    const [row] = await send([
      records.map(({ executionId }) => executionId),
      records.map(({ leaseToken }) => leaseToken),
      records.map(({ startedAt }) => secondsOf(startedAt)),
      records.map(({ finishedAt }) => secondsOf(finishedAt)),
      records.every(({ result }) => result === null) ? null : records.map(({ result }) => result),
      workerId,
    ]);
    return (
      row?.recorded?.map(({ id, freed_key: freedKey }) => succeeded(id, freedKey)) ??
      records.map(({ executionId }) => succeeded(executionId, null))
    );
  }

  private async recordAny(
    session: Session,
    records: readonly AttemptRecord[],
    { workerId, now }: RecordingContext,
  ): Promise<readonly RecordedAttempt[]> {
    const rows = await session.query<FinishedRow>(this.sql.any, [
      records.map(({ executionId }) => executionId),
      records.map(({ leaseToken }) => leaseToken),
      records.map(({ disposition }) => disposition),
      records.map(({ outcome }) => outcome),
      records.map(({ startedAt }) => startedAt),
      records.map(({ finishedAt }) => finishedAt),
      records.map(({ runAt }) => runAt),
      records.map(({ reason }) => reason),
      records.map(({ result }) => result),
      records.map(({ resultNote }) => textOrNull(resultNote)),
      records.map(({ counts }) => counts.processed),
      records.map(({ counts }) => counts.failed),
      records.map(({ counts }) => counts.skipped),
      ...errorColumns(records),
      now,
      workerId,
      records.map(({ error }) => error?.kind ?? null),
    ]);
    return rows.map((row) => ({ executionId: row.id, disposition: row.disposition, freedKey: row.freed_key }));
  }
}

const succeeded = (executionId: string, freedKey: string | null): RecordedAttempt => ({
  executionId,
  disposition: 'succeeded',
  freedKey,
});

function isPlainSuccess(record: AttemptRecord): boolean {
  const { processed, failed, skipped } = record.counts;
  return (
    record.disposition === 'succeeded' &&
    record.outcome === 'succeeded' &&
    record.resultNote === null &&
    record.error === null &&
    processed === 0 &&
    failed === 0 &&
    skipped === 0
  );
}

/**
 * Halves a batch until the one value that cannot be stored is alone, and records that one by `alone`, without its result.
 */
async function inHalves(
  records: readonly AttemptRecord[],
  record: Recording,
  alone: Recording,
): Promise<readonly RecordedAttempt[]> {
  const [first] = records;
  if (first === undefined) return [];
  try {
    return await record(records);
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (records.length === 1) {
      if (first.result === null) throw error;
      return alone([withoutResult(first, error)]);
    }
    const half = records.length >> 1;
    const firstHalf = await inHalves(records.slice(0, half), record, alone);
    return [...firstHalf, ...(await inHalves(records.slice(half), record, alone))];
  }
}

const withoutResult = (record: AttemptRecord, error: unknown): AttemptRecord => ({
  ...record,
  result: null,
  resultNote: `The result could not be stored: ${thrownText(error)}`,
});

const textOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : storableText(text);

const errorColumns = (records: readonly AttemptRecord[]): readonly (readonly (string | null)[])[] => [
  records.map(({ error }) => textOrNull(error?.errorClass)),
  records.map(({ error }) => textOrNull(error?.code)),
  records.map(({ error }) => textOrNull(error?.message)),
  records.map(({ error }) => textOrNull(error?.stack)),
  records.map(({ error }) => textOrNull(error?.fingerprint)),
];
