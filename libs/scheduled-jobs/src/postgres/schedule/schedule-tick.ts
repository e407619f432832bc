import { cutText } from '../../core/execution/bounded-text.js';
import { storeError } from '../../core/execution/stored-error.js';
import { groupBy } from '../../core/group-by.js';
import type { DueSchedule, SchedulePlan, TickRequest, TickSummary } from '../../core/ports/schedule-store.js';
import type { Session } from '../database/session.js';
import { ExecutionInserter } from '../execution-inserter.js';
import { scheduleVersion } from '../ledger/schedule-version.js';
import { suspension } from '../ledger/suspension.js';
import type { LedgerNames } from '../ledger-names.js';
import { findScheduleVersionsSql, type ScheduleVersionRow } from '../statements/find-schedule-versions.sql.js';
import { findSuspensionsSql, type SuspensionRow } from '../statements/find-suspensions.sql.js';
import { lockDueSchedulesSql, type LockedScheduleRow } from '../statements/lock-due-schedules.sql.js';
import { lookAtSchedulesSql, type ScheduleOutlookRow } from '../statements/look-at-schedules.sql.js';
import { moveCursorsSql } from '../statements/move-cursors.sql.js';
import { recordScheduleFailuresSql } from '../statements/record-schedule-failures.sql.js';
import { sendHintSql } from '../statements/send-hint.sql.js';
import { bornEnded, type EndedRow } from '../tell-ends.js';

const MAX_ERROR_BYTES = 2_000;
/** A tick that has planned so many executions leaves the other schedules to the next one. */
const MAX_EXECUTIONS = 10_000;
/** Schedules that are written together after a failure of more. */
const GROUP_SIZE = 32;

interface Planned {
  readonly scheduleName: string;
  readonly cursorAt: Date;
  readonly plan: SchedulePlan;
}

interface Failure {
  readonly jobName: string;
  readonly error: unknown;
}

interface Written {
  readonly schedules: number;
  readonly inserted: number;
  readonly skipped: number;
  readonly leftOut: number;
  /** Those that were born skipped. */
  readonly ended: readonly EndedRow[];
}

const NOTHING: Written = { schedules: 0, inserted: 0, skipped: 0, leftOut: 0, ended: [] };

/**
 * The inside of a tick's transaction. The rows of the due schedules stay locked until it ends, so their executions and
 * their cursors move as one. All schedules are written at once under a savepoint; if that fails, groups of them are written
 * under their own, and each of a group that fails, so that one that fails neither stops nor moves another.
 */
export class ScheduleTick {
  private readonly sql;
  private readonly inserter: ExecutionInserter;

  constructor(private readonly names: LedgerNames) {
    this.sql = {
      look: lookAtSchedulesSql(names),
      lockDue: lockDueSchedulesSql(names),
      findVersions: findScheduleVersionsSql(names),
      findSuspensions: findSuspensionsSql(names),
      moveCursors: moveCursorsSql(names),
      recordFailures: recordScheduleFailuresSql(names),
      hint: sendHintSql(),
    };
    this.inserter = new ExecutionInserter(names);
  }

  async run(
    session: Session,
    request: TickRequest,
    plan: (due: DueSchedule) => SchedulePlan | null,
  ): Promise<TickSummary & Pick<Written, 'ended'>> {
    // Somebody else's open transaction that holds one of our keys must not stop all schedules.
    await session.query(`set local lock_timeout = '2s'`);
    const failures: Failure[] = [];
    const due = await this.lockDue(session, request);
    const planned = planAll(due, { plan, failures });
    const written = await this.write(session, planned, { now: request.now, failures });
    if (failures.length > 0) await this.recordFailures(session, failures, request.now);
    if (written.inserted > 0) await session.query(this.sql.hint, [this.names.channel]);
    return { ...written, failures, ...(await this.outlook(session, request, due)) };
  }

  private async lockDue(session: Session, { jobNames, limit, now }: TickRequest): Promise<readonly DueSchedule[]> {
    const due = await session.query<LockedScheduleRow>(this.sql.lockDue, [jobNames, now, limit]);
    if (due.length === 0) return [];
    const names = due.map(({ schedule_name }) => schedule_name);
    const versions = await session.query<ScheduleVersionRow>(this.sql.findVersions, [names]);
    const suspensions = await session.query<SuspensionRow>(this.sql.findSuspensions, [names]);
    const versionsOf = groupBy(versions, ({ schedule_name }) => schedule_name);
    const suspensionsOf = groupBy(suspensions, ({ job_name }) => job_name);
    return due.map((row) =>
      dueSchedule(row, versionsOf.get(row.schedule_name) ?? [], suspensionsOf.get(row.job_name) ?? []),
    );
  }

  /** A full batch is followed by another one in any case: only the last one looks how far it is to the next period. */
  private async outlook(
    session: Session,
    { jobNames, limit, now }: TickRequest,
    due: readonly DueSchedule[],
  ): Promise<Pick<TickSummary, 'nextAt' | 'now'>> {
    const [first] = due;
    if (first !== undefined && due.length >= limit) return { nextAt: first.now, now: first.now };
    const [outlook] = await session.query<ScheduleOutlookRow>(this.sql.look, [jobNames, now]);
    return { nextAt: outlook?.next_at ?? null, now: outlook?.now ?? now ?? new Date() };
  }

  private async write(
    session: Session,
    planned: readonly Planned[],
    context: { readonly now: Date | null; readonly failures: Failure[] },
  ): Promise<Written> {
    if (planned.length === 0) return NOTHING;
    const all = await this.underSavepoint(session, planned, context.now);
    if ('written' in all) return all.written;
    if (planned.length === 1) {
      context.failures.push(...planned.map(({ scheduleName }) => ({ jobName: scheduleName, error: all.error })));
      return NOTHING;
    }
    let total = NOTHING;
    for (const part of partsOf(planned)) total = sum(total, await this.write(session, part, context));
    return total;
  }

  private async underSavepoint(
    session: Session,
    planned: readonly Planned[],
    now: Date | null,
  ): Promise<{ readonly written: Written } | { readonly error: unknown }> {
    await session.query('savepoint schedules');
    try {
      const written = await this.writePlans(session, planned, now);
      await session.query('release savepoint schedules');
      return { written };
    } catch (error) {
      // Fails in its turn when the connection is gone, and so ends the whole tick.
      await session.query('rollback to savepoint schedules');
      return { error };
    }
  }

  private async writePlans(session: Session, planned: readonly Planned[], now: Date | null): Promise<Written> {
    const executions = planned.flatMap(({ plan }) => plan.executions);
    const rows = executions.length === 0 ? [] : await this.inserter.insert(session, executions, { now, hint: false });
    const moved = await this.moveCursors(session, planned, now);
    const ended = bornEnded(executions, rows);
    return {
      schedules: moved.length,
      inserted: rows.length - ended.length,
      skipped: ended.length,
      leftOut: planned.reduce((count, { plan }) => count + (plan.skippedRange?.count ?? 0), 0),
      ended,
    };
  }

  private moveCursors(session: Session, planned: readonly Planned[], now: Date | null): Promise<readonly unknown[]> {
    const ranges = planned.map(({ plan }) => plan.skippedRange);
    return session.query(this.sql.moveCursors, [
      planned.map(({ scheduleName }) => scheduleName),
      planned.map(({ cursorAt }) => cursorAt),
      planned.map(({ plan }) => plan.cursorAt),
      planned.map(({ plan }) => plan.nextAt),
      ranges.map((range) => range?.from ?? null),
      ranges.map((range) => range?.to ?? null),
      ranges.map((range) => range?.count ?? null),
      ranges.map((range) => range?.reason ?? null),
      ranges.map((range) => range?.actor ?? null),
      now,
    ]);
  }

  private async recordFailures(session: Session, failures: readonly Failure[], now: Date | null): Promise<void> {
    await session.query(this.sql.recordFailures, [
      failures.map(({ jobName }) => jobName),
      failures.map(({ error }) => errorText(error)),
      now,
    ]);
  }
}

/** Without secrets, as everything that people are shown. */
function errorText(error: unknown): string {
  const { errorClass, message } = storeError(error);
  return cutText(`${errorClass}: ${message}`, MAX_ERROR_BYTES);
}

function partsOf(planned: readonly Planned[]): readonly (readonly Planned[])[] {
  const size = planned.length > GROUP_SIZE ? GROUP_SIZE : 1;
  const count = Math.ceil(planned.length / size);
  return Array.from({ length: count }, (_, index) => planned.slice(index * size, (index + 1) * size));
}

const sum = (a: Written, b: Written): Written => ({
  schedules: a.schedules + b.schedules,
  inserted: a.inserted + b.inserted,
  skipped: a.skipped + b.skipped,
  leftOut: a.leftOut + b.leftOut,
  ended: [...a.ended, ...b.ended],
});

function planAll(
  due: readonly DueSchedule[],
  { plan, failures }: { readonly plan: (due: DueSchedule) => SchedulePlan | null; readonly failures: Failure[] },
): readonly Planned[] {
  const planned: Planned[] = [];
  let executions = 0;
  for (const schedule of due) {
    if (executions >= MAX_EXECUTIONS) break;
    const { jobName, cursorAt } = schedule;
    try {
      const made = plan(schedule);
      if (made === null) continue;
      planned.push({ scheduleName: jobName, cursorAt, plan: made });
      executions += made.executions.length;
    } catch (error) {
      failures.push({ jobName, error });
    }
  }
  return planned;
}

function dueSchedule(
  row: LockedScheduleRow,
  versions: readonly ScheduleVersionRow[],
  suspensions: readonly SuspensionRow[],
): DueSchedule {
  const [first, ...later] = versions.map(scheduleVersion);
  if (first === undefined) throw new TypeError(`The schedule "${row.schedule_name}" has no stored version.`);
  return {
    jobName: row.job_name,
    cursorAt: row.cursor_at,
    now: row.now,
    versions: [first, ...later],
    suspensions: suspensions.map(suspension),
  };
}
