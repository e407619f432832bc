import { CronTime } from 'cron';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { parseSchedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';

/** What a library says about one expression in one zone. */
export interface PeerSchedule {
  /** The first run after an instant. */
  readonly next: (after: Date) => Date | null;
  /** The last run before an instant; null = the library has no such question. */
  readonly previous: ((before: Date) => Date | null) | null;
}

/** A library that reads cron expressions. */
export interface Peer {
  readonly name: string;
  /** @throws what the library throws when it refuses the expression. */
  readonly read: (expression: string, timeZone: string) => PeerSchedule;
}

/** This library and three others, each as its documentation says, with the settings closest to our rules. */
export const PEERS: readonly Peer[] = [
  {
    name: 'nestjs-scheduled-jobs',
    read: (expression, timeZone) => {
      const schedule = parseSchedule(expression, { timeZone });
      return { next: (after) => schedule.next(after), previous: (before) => schedule.previous(before) };
    },
  },
  {
    name: 'croner',
    read: (expression, timezone) => {
      // as here, lists and ranges are fixed times too; by default only single values are
      const job = new Cron(expression, { timezone, fixedTimeRule: 'no-wildcard' });
      return {
        next: (after) => job.nextRun(after),
        previous: (before) => job.previousRuns(1, before)[0] ?? null,
      };
    },
  },
  {
    name: 'cron-parser',
    read: (expression, tz) => {
      CronExpressionParser.parse(expression, { tz });
      return {
        next: (currentDate) => CronExpressionParser.parse(expression, { tz, currentDate }).next().toDate(),
        previous: (currentDate) => CronExpressionParser.parse(expression, { tz, currentDate }).prev().toDate(),
      };
    },
  },
  {
    name: 'cron',
    read: (expression, timeZone) => {
      const time = new CronTime(expression, timeZone);
      return { next: (after) => time.getNextDateFrom(after, timeZone).toJSDate(), previous: null };
    },
  },
];
