import type { EventSink } from '../../core/events/engine-event.js';
import type { JobDefinition } from '../../core/job/job-definition.js';
import type {
  DueSchedule,
  RegisteredSchedule,
  SchedulePlan,
  ScheduleStore,
  TickRequest,
  TickSummary,
} from '../../core/ports/schedule-store.js';
import type { Database } from '../database/database.js';
import type { LedgerNames } from '../ledger-names.js';
import { lookAtSchedulesSql, type ScheduleOutlookRow } from '../statements/look-at-schedules.sql.js';
import { tellEnds } from '../tell-ends.js';
import { JobRegistration } from './job-registration.js';
import { ScheduleRegistration } from './schedule-registration.js';
import { ScheduleTick } from './schedule-tick.js';

/** Schedules, their cursors and versions. */
export class PostgresScheduleStore implements ScheduleStore {
  private readonly look: string;
  private readonly jobs: JobRegistration;
  private readonly registration: ScheduleRegistration;
  private readonly ticking: ScheduleTick;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
    private readonly emit: EventSink,
  ) {
    this.look = lookAtSchedulesSql(names);
    this.jobs = new JobRegistration(names);
    this.registration = new ScheduleRegistration(names);
    this.ticking = new ScheduleTick(names);
  }

  async register(
    definitions: readonly JobDefinition[],
    now: Date | null,
    release: number | null = null,
  ): Promise<readonly RegisteredSchedule[]> {
    if (definitions.length === 0) return [];
    return this.database.transaction('register jobs', async (session) => {
      const registered = await this.registration.run(session, definitions, { release, now });
      await this.jobs.run(session, definitions, now);
      return registered;
    });
  }

  async carry(
    definitions: readonly JobDefinition[],
    now: Date | null,
    release: number | null = null,
  ): Promise<readonly RegisteredSchedule[]> {
    const registered = await this.database.transaction('carry its schedules', (session) =>
      this.registration.run(session, definitions, { release, now }),
    );
    return registered.filter(({ change }) => change !== 'left');
  }

  async tick(request: TickRequest, plan: (due: DueSchedule) => SchedulePlan | null): Promise<TickSummary> {
    const idle = request.isDue === true ? null : await this.lookFirst(request);
    if (idle !== null) return idle;
    const { ended, ...summary } = await this.database.transaction('tick', (session) =>
      this.ticking.run(session, request, plan),
    );
    tellEnds(this.emit, ended);
    return summary;
  }

  /** Mostly nothing is due, and no transaction is needed to know it. */
  private async lookFirst({ jobNames, now: boundNow }: TickRequest): Promise<TickSummary | null> {
    const values = [jobNames, boundNow];
    const [outlook] = await this.database.query<ScheduleOutlookRow>('look at its schedules', this.look, values);
    const { due = false, next_at: nextAt = null, now = boundNow ?? new Date() } = outlook ?? {};
    return due ? null : { schedules: 0, inserted: 0, skipped: 0, leftOut: 0, failures: [], nextAt, now };
  }
}
