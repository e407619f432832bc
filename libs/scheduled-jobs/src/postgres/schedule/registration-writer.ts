import type { RegistrationPlan } from '../../core/schedule/registration-plan.js';
import type { Session } from '../database/session.js';
import type { LedgerNames } from '../ledger-names.js';
import { addScheduleVersionsSql } from '../statements/add-schedule-versions.sql.js';
import { beginAnewSql } from '../statements/begin-anew.sql.js';
import { closeOrphanhoodSql } from '../statements/close-orphanhood.sql.js';
import { handOverSchedulesSql } from '../statements/hand-over-schedules.sql.js';
import { handOverSuspensionsSql } from '../statements/hand-over-suspensions.sql.js';
import { raiseReleasesSql } from '../statements/raise-releases.sql.js';
import { saveSchedulesSql } from '../statements/save-schedules.sql.js';

/** Writes what a registration has planned. All rows of the schedules concerned must be locked. */
export class RegistrationWriter {
  private readonly sql;

  constructor(names: LedgerNames) {
    this.sql = {
      save: saveSchedulesSql(names),
      raiseReleases: raiseReleasesSql(names),
      handOver: handOverSchedulesSql(names),
      addVersions: addScheduleVersionsSql(names),
      beginAnew: beginAnewSql(names),
      closeOrphanhood: closeOrphanhoodSql(names),
      handOverSuspensions: handOverSuspensionsSql(names),
    };
  }

  /** @param context `orphaned`: the names of schedules that somebody carries again. */
  async write(
    session: Session,
    plans: readonly RegistrationPlan[],
    context: { readonly release: number | null; readonly orphaned: readonly string[]; readonly now: Date | null },
  ): Promise<void> {
    const { release, orphaned, now } = context;
    await this.saveSchedules(session, plans);
    const raised = plans.filter((plan) => plan.cursorAt === null && plan.release === release).map(nameOf);
    if (release !== null && raised.length > 0) await session.query(this.sql.raiseReleases, [raised, release]);
    await this.addVersions(session, plans);
    await this.beginAnew(session, plans);
    await this.handOver(session, plans);
    if (orphaned.length > 0) await session.query(this.sql.closeOrphanhood, [orphaned, now]);
    await this.handOverSuspensions(session, plans);
  }

  private async saveSchedules(session: Session, plans: readonly RegistrationPlan[]): Promise<void> {
    const saved = plans.filter(({ cursorAt }) => cursorAt !== null);
    if (saved.length === 0) return;
    await session.query(this.sql.save, [
      saved.map(({ scheduleName }) => scheduleName),
      saved.map(({ version }) => version),
      saved.map(({ cursorAt }) => cursorAt),
      saved.map((plan) => plan.release),
    ]);
  }

  private async addVersions(session: Session, plans: readonly RegistrationPlan[]): Promise<void> {
    const added = plans.flatMap(({ scheduleName, addedVersions }) =>
      addedVersions.map((version) => ({ scheduleName, ...version })),
    );
    if (added.length === 0) return;
    await session.query(this.sql.addVersions, [
      added.map(({ scheduleName }) => scheduleName),
      added.map(({ version }) => version),
      added.map(({ validFrom }) => validFrom),
      added.map(({ expression }) => expression),
      added.map(({ timeZone }) => timeZone),
      added.map(({ shape }) => JSON.stringify(shape)),
      added.map(({ zoneData }) => zoneData),
    ]);
  }

  private async beginAnew(session: Session, plans: readonly RegistrationPlan[]): Promise<void> {
    const anew = plans.filter(({ beginsAnew }) => beginsAnew);
    if (anew.length === 0) return;
    await session.query(this.sql.beginAnew, [anew.map(nameOf), anew.map(({ version }) => version)]);
  }

  private async handOver(session: Session, plans: readonly RegistrationPlan[]): Promise<void> {
    const pairs = plans.flatMap(({ scheduleName, takenOver }) =>
      takenOver.map((name) => [name, scheduleName] as const),
    );
    if (pairs.length === 0) return;
    await session.query(this.sql.handOver, [pairs.map(([from]) => from), pairs.map(([, to]) => to)]);
  }

  /** After the end of an orphanhood, which the new name is to know of. */
  private async handOverSuspensions(session: Session, plans: readonly RegistrationPlan[]): Promise<void> {
    const pairs = plans.flatMap(({ scheduleName, continues }) =>
      continues === null ? [] : [[continues, scheduleName] as const],
    );
    if (pairs.length === 0) return;
    await session.query(this.sql.handOverSuspensions, [pairs.map(([from]) => from), pairs.map(([, to]) => to)]);
  }
}

const nameOf = ({ scheduleName }: RegistrationPlan): string => scheduleName;
