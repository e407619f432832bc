import { readSchedule } from './oracle-schedule.js';
import { expressionsAround, type Choice } from './schedules-around.js';
import { checkWindow, type WindowCase } from './window-checks.js';
import type { OffsetChange, WallClock } from './wall-clock.js';
import { windowAround } from './wall-window.js';

/** What has been proven so far. */
export interface ProofTotals {
  readonly zones: number;
  readonly changes: number;
  /** Expressions with a policy, each around one change. */
  readonly schedules: number;
  /** Answers of the calendar that were compared. */
  readonly checks: number;
  readonly failures: number;
}

/** How much is asked about each change. */
export interface ProofOptions extends Choice {
  /** Whether named times are asked under each policy that the change calls for; else under one at random. */
  readonly isThorough: boolean;
}

type CasePolicy = WindowCase['policy'];

const GAPS = ['next-valid', 'skip'] as const;
const FOLDS = ['first', 'last', 'both'] as const;
const MAX_PROBLEMS = 20;

/** Compares the calendar with wall clocks, change by change. */
export class CalendarProof {
  /** One sentence each; the first few. */
  readonly problems: string[] = [];
  private zones = 0;
  private changes = 0;
  private schedules = 0;
  private checks = 0;
  private failures = 0;

  constructor(private readonly options: ProofOptions) {}

  get totals(): ProofTotals {
    const { zones, changes, schedules, checks, failures } = this;
    return { zones, changes, schedules, checks, failures };
  }

  /** Proves some changes of a zone. */
  proveZone(clock: WallClock, changes: readonly OffsetChange[]): void {
    this.zones += 1;
    for (const change of changes) this.proveChange(clock, change);
  }

  private proveChange(clock: WallClock, change: OffsetChange): void {
    this.changes += 1;
    const window = windowAround(clock, change);
    for (const expression of expressionsAround(change, this.options)) {
      const read = readSchedule(expression);
      for (const [index, policy] of this.policiesFor(read.namesItsTimes, change).entries()) {
        this.proveCase({ change, window, expression, read, policy, everyMinute: index === 0 });
      }
    }
  }

  /** What a change cannot tell apart is chosen at random: it must not matter. */
  private policiesFor(namesItsTimes: boolean, { before, after }: OffsetChange): readonly CasePolicy[] {
    const policy: CasePolicy = { gap: this.oneOf(GAPS), fold: this.oneOf(FOLDS), named: 'by-text' };
    if (!namesItsTimes || !this.options.isThorough) return [policy];
    return after > before ? GAPS.map((gap) => ({ ...policy, gap })) : FOLDS.map((fold) => ({ ...policy, fold }));
  }

  private oneOf<T>(values: readonly [T, ...T[]]): T {
    return values[Math.floor(this.options.random() * values.length)] ?? values[0];
  }

  private proveCase(asked: WindowCase): void {
    const { checks, problems } = checkWindow(asked);
    this.schedules += 1;
    this.checks += checks;
    if (problems.length === 0) return;
    this.failures += 1;
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(...problems);
  }
}
