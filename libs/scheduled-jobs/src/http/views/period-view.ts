import { periodCells, type CellInput, type PeriodCell } from '../../core/browse/period-cells.js';
import { firstOccurrences, lastOccurrences, type PeriodWindow } from '../../core/browse/period-window.js';
import type { Occurrence } from '../../core/calendar/schedule.js';
import { redactText } from '../../core/execution/redaction.js';
import type { ScheduleStanding } from '../../core/ports/period-reader.js';
import { graceMsOf } from '../../core/schedule/grace.js';
import { storedOccurrences } from '../../core/schedule/stored-occurrences.js';
import type { OccurrenceSource } from '../../core/schedule/versioned-schedule.js';
import type { JobCatalog } from '../../nest/jobs/job-catalog.js';
import type { Stores } from '../../postgres/create-stores.js';

/** The periods of one schedule, oldest first. */
export interface SchedulePeriods {
  readonly jobName: string;
  /** Of the newest definition. */
  readonly timeZone: string;
  readonly items: readonly PeriodCell[];
  /** Why its periods cannot be named here; null = they can. */
  readonly unreadable: string | null;
}

/** The newest periods of a schedule in a window. */
export interface NewestPeriods extends SchedulePeriods {
  /** The window has more periods, earlier ones. */
  readonly hasMore: boolean;
}

/** The first periods of a schedule in a window. */
interface FirstPeriods extends SchedulePeriods {
  /** Where the rest of the window begins; null = there is none. */
  readonly nextFrom: Date | null;
}

interface Named {
  readonly standing: ScheduleStanding;
  readonly occurrences: readonly Occurrence[];
  readonly unreadable: string | null;
}

const MAX_REASON = 500;

/** Lays the calendar of schedules beside what the ledger has of them. */
export class PeriodView {
  constructor(
    private readonly stores: Pick<Stores, 'schedulePeriods' | 'clock'>,
    private readonly catalog: JobCatalog,
  ) {}

  /** The first periods of a window. */
  async first(standing: ScheduleStanding, window: PeriodWindow, limit: number): Promise<FirstPeriods> {
    const named = this.named(standing, window, (source, known) => firstOccurrences(source, known, limit + 1));
    const [items] = await this.cells([{ ...named, occurrences: named.occurrences.slice(0, limit) }]);
    return { ...described(named, items), nextFrom: named.occurrences[limit]?.scheduledFor ?? null };
  }

  /** The last periods of a window, of several schedules. */
  async last(
    standings: readonly ScheduleStanding[],
    window: PeriodWindow,
    limit: number,
  ): Promise<readonly NewestPeriods[]> {
    const all = standings.map((standing) =>
      this.named(standing, window, (source, known) => lastOccurrences(source, known, limit + 1)),
    );
    const cells = await this.cells(all.map((one) => ({ ...one, occurrences: one.occurrences.slice(-limit) })));
    return all.map((one, index) => ({ ...described(one, cells[index]), hasMore: one.occurrences.length > limit }));
  }

  /** How many periods of a schedule a tick should have recorded by now; 0 when they cannot be named here. */
  overdue(standing: ScheduleStanding): number {
    const { cursorAt, now, suspension } = standing;
    const until = new Date(now.getTime() - graceMsOf(this.definition(standing)));
    if (suspension !== null || until <= cursorAt) return 0;
    try {
      return storedOccurrences(standing, this.definition(standing)).count({ after: cursorAt, until });
    } catch {
      return 0; // Its own page says why.
    }
  }

  private cells(found: readonly Named[]): Promise<readonly (readonly PeriodCell[])[]> {
    const inputs = found.map(({ standing, occurrences }): CellInput => ({
      standing,
      occurrences,
      definition: this.definition(standing),
    }));
    const now = this.stores.clock.boundNow();
    return periodCells(inputs, (keys) => this.stores.schedulePeriods.ofKeys(keys, now));
  }

  /**
   * The occurrences of a window since the schedule is known. The functions of a job may throw, and other applications'
   * functions are not here: such a schedule has no periods to show.
   */
  private named(
    standing: ScheduleStanding,
    { from, to }: PeriodWindow,
    find: (source: OccurrenceSource, window: PeriodWindow) => readonly Occurrence[],
  ): Named {
    const known = { from: from < standing.knownFrom ? standing.knownFrom : from, to };
    try {
      const source = storedOccurrences(standing, this.definition(standing));
      return { standing, occurrences: known.from < to ? find(source, known) : [], unreadable: null };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { standing, occurrences: [], unreadable: redactText(reason.slice(0, MAX_REASON)) };
    }
  }

  private definition({ jobName }: ScheduleStanding) {
    return this.catalog.entries().get(jobName)?.definition;
  }
}

const described = ({ standing, unreadable }: Named, items: readonly PeriodCell[] = []): SchedulePeriods => ({
  jobName: standing.jobName,
  timeZone: standing.versions.at(-1)?.timeZone ?? 'UTC',
  items,
  unreadable,
});
