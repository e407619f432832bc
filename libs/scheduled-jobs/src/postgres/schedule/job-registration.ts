import { FINAL_STATES } from '../../core/execution/execution-state.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import type { Session } from '../database/session.js';
import type { LedgerNames } from '../ledger-names.js';
import { findJobsSql, type JobRow } from '../statements/find-jobs.sql.js';
import { handOverPausesSql } from '../statements/hand-over-pauses.sql.js';
import { registerJobsSql } from '../statements/register-jobs.sql.js';

/** Writes what the ledger itself needs to know of jobs; reads first and writes only what differs. */
export class JobRegistration {
  private readonly sql;

  constructor(names: LedgerNames) {
    this.sql = { find: findJobsSql(names), register: registerJobsSql(names), handOverPauses: handOverPausesSql(names) };
  }

  async run(session: Session, definitions: readonly JobDefinition[], now: Date | null): Promise<void> {
    const rows = await session.query<JobRow>(this.sql.find, [definitions.map(({ name }) => name)]);
    const known = new Map(rows.map((row) => [row.name, row]));
    const changed = definitions.filter((definition) => differs(definition, known.get(definition.name)));
    if (changed.length === 0) return;
    await session.query(this.sql.register, [
      changed.map(({ name }) => name),
      changed.map(({ overlap }) => overlap),
      changed.map(({ concurrency }) => concurrency),
      changed.map(({ retentionMs }) => JSON.stringify(retentionMs)),
      changed.map(({ leaseMs }) => leaseMs),
      changed.map(({ retry }) => retry.deadlineMs),
      changed.map(({ alert }) => JSON.stringify(alert)),
      now,
    ]);
    const added = changed.filter(({ name }) => !known.has(name));
    await this.handOverPauses(session, added);
  }

  /** A new name must not put a paused job to work again. */
  private async handOverPauses(session: Session, added: readonly JobDefinition[]): Promise<void> {
    const names = added.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name] as const));
    if (names.length === 0) return;
    await session.query(this.sql.handOverPauses, [names.map(([alias]) => alias), names.map(([, name]) => name)]);
  }
}

const differs = (
  { overlap, concurrency, leaseMs, retry, retentionMs, alert }: JobDefinition,
  row: JobRow | undefined,
): boolean =>
  row?.overlap !== overlap ||
  row.concurrency !== concurrency ||
  row.lease_ms !== leaseMs ||
  Number(row.deadline_ms) !== retry.deadlineMs ||
  row.alert.startWithinMs !== alert.startWithinMs ||
  row.alert.runbook !== alert.runbook ||
  FINAL_STATES.some((state) => row.retention[state] !== retentionMs[state]);
